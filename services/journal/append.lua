-- Append entries to one stream, or say why not. Everything is checked before the first XADD,
-- for a script does not roll back.
--
-- KEYS[1] the stream · ARGV[1] in MessagePack: {after, runs, data}, where `after` is
-- {major, minor} or, for the start of a shoe, {shoe}; `runs` is a flat list major, minor, count,
-- ... of consecutive ids, and `data` has the bytes of each entry.
-- KEYS[2], where there is one, is a set of the same slot: it is made to hold ARGV[2], ARGV[3], ...
-- and nothing else, in the same step, if what we say is then the stream's end.
-- Gives the number of entries written (0: all were there already), or a refusal
-- {kind, why, the id we said, the id found}, kind being `bad`, `conflict` or `lost`.

local LIMIT = 9007199254740992 -- from 2^53 on numbers in Lua are not exact
local key = KEYS[1]
local call, format = redis.call, string.format
local after, runs, data = unpack(cmsgpack.unpack(ARGV[1]))

local function spell(major, minor)
  return format('%.0f-%.0f', major, minor)
end

local function split(id)
  local major, minor = string.match(id, '^(%d+)%-(%d+)$')
  major, minor = tonumber(major), tonumber(minor)
  if not major or not minor or major >= LIMIT or minor >= LIMIT then
    return nil
  end
  return major, minor
end

local function whole(number)
  return type(number) == 'number' and number >= 0 and number < LIMIT
end

local function less(a, b, c, d)
  return a < c or (a == c and b < d)
end

-- The end of the stream, which survives trimming.
local last = '0-0'
local info = redis.pcall('XINFO', 'STREAM', key)
if info.err then
  if not string.match(info.err, 'no such key') then
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

-- What we go on after, and whether it is the end.
local start = #after == 1
local major, minor = after[1], start and -1 or after[2]
if not whole(major) or not (start or whole(minor)) then
  return {'bad', 'after', cjson.encode(after), last}
end
local last_major, last_minor = split(last)
if not last_major then
  return {'bad', 'end', last, last}
end
local equal
if start then
  equal = last_major < major
elseif less(last_major, last_minor, major, minor) then
  return {'lost', 'short', spell(major, minor), last}
else
  equal = last_major == major and last_minor == minor
end
local from = start and spell(major, 0) or '(' .. spell(major, minor)

-- The ids we were given: well formed and rising.
local ids, count = {}, 0
for i = 1, #runs, 3 do
  local a, b, c = runs[i], runs[i + 1], runs[i + 2]
  if not whole(a) or not whole(b) or not whole(b + c - 1) or not less(major, minor, a, b) then
    return {'bad', 'id', tostring(a) .. '-' .. tostring(b), last}
  end
  local stem = format('%.0f-', a)
  if b + c < 1e14 then -- up to here a number spells itself
    for j = b, b + c - 1 do
      count = count + 1
      ids[count] = stem .. j
    end
  else
    for j = b, b + c - 1 do
      count = count + 1
      ids[count] = stem .. format('%.0f', j)
    end
  end
  major, minor = a, b + c - 1
end

-- Behind: what is there already must be what we say.
local next = 1
if not equal then
  local function missing(said)
    local a, b = split(said)
    local first = call('XRANGE', key, '-', '+', 'COUNT', 1)[1]
    if not first or less(a, b, split(first[1])) then
      return {'lost', 'trimmed', said, first and first[1] or last}
    end
    local other = call('XRANGE', key, said, '+', 'COUNT', 1)[1]
    if other and split(other[1]) ~= a then
      return {'conflict', 'other', said, other[1]}
    end
    return {'lost', 'deleted', said, other and other[1] or last}
  end

  local there = call('XRANGE', key, from, ids[count], 'COUNT', count)
  for i = 1, #there do
    local id, fields, said = there[i][1], there[i][2], ids[i]
    if id ~= said then
      local a, b = split(id)
      if less(a, b, split(said)) then
        return {'conflict', 'other', said, id}
      end
      return missing(said)
    end
    if #fields ~= 2 or fields[1] ~= '__data__' or fields[2] ~= data[i] then
      return {'conflict', 'differs', said, id}
    end
    next = i + 1
  end
  if next <= count then
    local a, b = split(ids[next])
    if not less(last_major, last_minor, a, b) then
      return missing(ids[next])
    end
    if ids[next - 1] ~= last then
      return {'lost', 'deleted', last, last}
    end
  end
end

for i = next, count do
  call('XADD', key, ids[i], '__data__', data[i])
end
if KEYS[2] and (next <= count or ids[count] == last) then
  call('DEL', KEYS[2])
  for i = 2, #ARGV do
    call('SADD', KEYS[2], ARGV[i])
  end
end
return count - next + 1
