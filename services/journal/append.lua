-- Append entries to one stream, or say why not. Everything is checked before the first XADD,
-- for a script does not roll back.
--
-- KEYS[1] the stream · ARGV[1] `after`: an id, or `<shoe>-start` · then id, data, id, data, ...
-- Gives the number of entries written (0: all were there already), or a refusal
-- {kind, why, the id we said, the id found}, kind being `bad`, `conflict` or `lost`.

local LIMIT = 9007199254740992 -- from 2^53 on numbers in Lua are not exact
local key, after = KEYS[1], ARGV[1]
local call, match, tonumber = redis.call, string.match, tonumber

local function split(id)
  local major, minor = match(id, '^(%d+)%-(%d+)$')
  major, minor = tonumber(major), tonumber(minor)
  if not major or not minor or major >= LIMIT or minor >= LIMIT then
    return nil
  end
  return major, minor
end

-- The end of the stream, which survives trimming.
local last = '0-0'
local info = redis.pcall('XINFO', 'STREAM', key)
if info.err then
  if not match(info.err, 'no such key') then
    return info
  end
else
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then
      last = info[i + 1]
      break
    end
  end
end

-- What we go on after.
local major, minor, from
local shoe = tonumber(match(after, '^(%d+)%-start$'))
if shoe then
  major, minor, from = shoe, -1, shoe .. '-0'
else
  major, minor = split(after)
  from = '(' .. after
end
if not major or major >= LIMIT then
  return {'bad', 'after', after, last}
end

local equal = last == after
local last_major, last_minor = major, minor
if not equal then
  last_major, last_minor = split(last)
  if not last_major then
    return {'bad', 'last', after, last}
  end
  if shoe then
    equal = last_major < shoe
  elseif last_major < major or (last_major == major and last_minor < minor) then
    return {'lost', 'short', after, last}
  end
end

-- The ids we were given: well formed and rising.
local count = #ARGV
for i = 2, count, 2 do
  local a, b = split(ARGV[i])
  if not a or not (a > major or (a == major and b > minor)) then
    return {'bad', 'id', ARGV[i], last}
  end
  major, minor = a, b
end

-- Behind: what is there already must be what we say.
local next = 2
if not equal then
  local function missing(said)
    local first = call('XRANGE', key, '-', '+', 'COUNT', 1)[1]
    local a, b = split(said)
    if not first then
      return {'lost', 'trimmed', said, last}
    end
    local c, d = split(first[1])
    if not c or c > a or (c == a and d > b) then
      return {'lost', 'trimmed', said, first[1]}
    end
    local other = call('XRANGE', key, said, '+', 'COUNT', 1)[1]
    if other and split(other[1]) ~= a then
      return {'conflict', 'other', said, other[1]}
    end
    return {'lost', 'deleted', said, other and other[1] or last}
  end

  local there = call('XRANGE', key, from, ARGV[count - 1], 'COUNT', (count - 1) / 2)
  for i = 1, #there do
    local id, fields, said = there[i][1], there[i][2], ARGV[next]
    if id ~= said then
      local a, b = split(id)
      local c, d = split(said)
      if not a or a < c or (a == c and b < d) then
        return {'conflict', 'other', said, id}
      end
      return missing(said)
    end
    if #fields ~= 2 or fields[1] ~= '__data__' or fields[2] ~= ARGV[next + 1] then
      return {'conflict', 'differs', said, id}
    end
    next = next + 2
  end
  if next <= count then
    local a, b = split(ARGV[next])
    if last_major > a or (last_major == a and last_minor >= b) then
      return missing(ARGV[next])
    end
    if next == 2 or ARGV[next - 2] ~= last then
      return {'lost', 'deleted', last, last}
    end
  end
end

local written = 0
for i = next, count, 2 do
  call('XADD', key, ARGV[i], '__data__', ARGV[i + 1])
  written = written + 1
end
return written
