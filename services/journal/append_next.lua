-- Append entries that are numbered one after the other right after the stream's end, or write
-- nothing and give -1: then append.lua is asked, which knows all that may be so, and says why not.
--
-- KEYS[1] the stream · ARGV[1] the id at the end, `12-44` · ARGV[2] its shoe, `12-` ·
-- ARGV[3] the first entry's number, `45` (none from 10^14 on) · ARGV[4], ... the bytes of each.
-- Gives the number of entries written.
--
-- An XADD succeeds only above the stream's last id, which survives trimming. So where the entry
-- before stands there, and the XADD of the next number succeeds, that entry was the end.

local key, stem, minor = KEYS[1], ARGV[2], ARGV[3] + 0
local call, pcall = redis.call, redis.pcall

local before = pcall('XREVRANGE', key, ARGV[1], ARGV[1])
if before.err or not before[1] then
  return -1
end
local digit = minor % 10
-- A number's last digit is put to those before it: to spell each whole would cost half an XADD.
local digits = {[0] = '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'}
local tens = minor < 10 and stem or stem .. (minor - digit) / 10

if type(pcall('XADD', key, tens .. digits[digit], '__data__', ARGV[4])) == 'table' then
  return -1
end
for i = 5, #ARGV do
  digit = digit + 1
  if digit == 10 then
    digit, tens = 0, stem .. (minor + i - 4) / 10
  end
  call('XADD', key, tens .. digits[digit], '__data__', ARGV[i])
end
return #ARGV - 3
