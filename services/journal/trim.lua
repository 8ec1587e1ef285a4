-- Trim the streams of one table below a shoe, or say why not. Checked before the first XTRIM.
--
-- KEYS events, outcomes, verdicts, commands, held, kept
-- ARGV[1] the lowest shoe to keep · ARGV[2] the lowest command id to keep, or '-'
-- Gives the number of entries trimmed, or a refusal {why, found}.
-- `held` is a set of shoe numbers under dispute: nothing at or above the lowest is trimmed.
-- `kept` is a hash written here, of each stream's lowest id that was left: readers tell a trimmed
-- stream from one begun anew by it.

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

local function less(one, other)
  local a, b = string.match(one, '^(%d+)%-(%d+)$')
  local c, d = string.match(other, '^(%d+)%-(%d+)$')
  a, b, c, d = tonumber(a), tonumber(b), tonumber(c), tonumber(d)
  return a < c or (a == c and b < d)
end

local function keeps(stream, from)
  if less(redis.call('HGET', KEYS[6], stream) or '0-0', from) then
    redis.call('HSET', KEYS[6], stream, from)
  end
end

local trimmed = 0
for i, stream in ipairs({'events', 'outcomes', 'verdicts'}) do
  keeps(stream, ARGV[1] .. '-0')
  trimmed = trimmed + redis.call('XTRIM', KEYS[i], 'MINID', '=', ARGV[1] .. '-0')
end
if ARGV[2] ~= '-' then
  keeps('commands', ARGV[2])
  trimmed = trimmed + redis.call('XTRIM', KEYS[4], 'MINID', '=', ARGV[2])
end
return trimmed
