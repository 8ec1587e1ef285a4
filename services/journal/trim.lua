-- Trim the streams of one table below a shoe, or say why not. Checked before the first XTRIM.
--
-- KEYS events, outcomes, verdicts, commands, held, kept
-- ARGV[1] the lowest shoe to keep · ARGV[2] the lowest command id to keep, or '-'
-- Gives the number of entries trimmed, or a refusal {why, found}.
-- `held` is a set of shoe numbers under dispute: nothing at or above the lowest is trimmed.
-- `kept` is written here: readers tell a trimmed stream from one begun anew by it.

local keep = tonumber(ARGV[1])

local function last_shoe(key)
  local info = redis.pcall('XINFO', 'STREAM', key)
  if info.err then
    return 0
  end
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then
      return tonumber(string.match(info[i + 1], '^(%d+)%-'))
    end
  end
end

local newest = last_shoe(KEYS[1])
if keep > newest then
  return {'newest', tostring(newest)}
end
local audited = last_shoe(KEYS[3])
if audited < keep - 1 then
  return {'unaudited', tostring(audited)}
end
for _, shoe in ipairs(redis.call('SMEMBERS', KEYS[5])) do
  local number = tonumber(shoe)
  if not number or number < keep then
    return {'held', shoe}
  end
end

local before = tonumber(redis.call('GET', KEYS[6]) or '0')
if keep > before then
  redis.call('SET', KEYS[6], ARGV[1])
end
local trimmed = 0
for i = 1, 3 do
  trimmed = trimmed + redis.call('XTRIM', KEYS[i], 'MINID', '=', ARGV[1] .. '-0')
end
if ARGV[2] ~= '-' then
  trimmed = trimmed + redis.call('XTRIM', KEYS[4], 'MINID', '=', ARGV[2])
end
return trimmed
