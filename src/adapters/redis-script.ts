/**
 * The operations of the Redis adapter, in Lua. Redis runs a script alone, so each operation is atomic. A script is not
 * rolled back, so each operation checks everything before its first write.
 *
 * KEYS[1] is the start of all keys; the script appends the rest, because it learns most keys from rows. ARGV has the
 * operation, the kind and the id of a row, and further arguments. Values are encoded as in redis-rows.ts. The script
 * returns a row as a flat list of names and values, nil if there is none, and text if it refuses the operation.
 */
export const script = `
local root, operation, kind, id = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local owned = { 'account', 'session', 'authenticator', 'password', 'factor', 'record' }
local isOwned = {}
for _, each in ipairs(owned) do isOwned[each] = true end
local expires = { session = true, token = true, keyed = true }

local function keyOf(kind, id) return root .. kind .. ':' .. id end
local function indexOf(kind, owner) return root .. kind .. 's-of:' .. owner end

local function textOf(value)
  return value and value ~= 'null' and value ~= '""' and cjson.decode(value) or nil
end
local function timeOf(value)
  return value and string.match(value, '^@(-?%d+)$')
end
local function member(kind, id, name)
  return redis.call('HGET', keyOf(kind, id), name)
end
local function read(kind, id)
  local row = id and redis.call('HGETALL', keyOf(kind, id)) or {}
  return #row > 0 and row or nil
end

-- Names and values from an argument on.
local function membersFrom(first)
  local members = {}
  for n = first, #ARGV, 2 do members[ARGV[n]] = ARGV[n + 1] end
  return members
end

local function refusal(members)
  local email = kind == 'user' and textOf(members.email)
  local holder = email and redis.call('GET', keyOf('email', email))
  if holder and holder ~= id then return 'The e-mail address belongs to another user' end
  local owner = isOwned[kind] and (members.userId or operation == 'insert' and 'null')
  if owner and not read('user', textOf(owner)) then return 'The user does not exist' end
  local time = expires[kind] and (members.expires or operation == 'insert' and 'null')
  if time and not timeOf(time) then return 'The expiry of a ' .. kind .. ' must be a Date' end
end

-- Removes expired sessions from an index, which itself expires with the last one.
local function trim(index)
  local now = redis.call('TIME')
  redis.call('ZREMRANGEBYSCORE', index, '-inf', now[1] * 1000 + math.floor(now[2] / 1000))
  local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
  if last then redis.call('PEXPIREAT', index, last) end
end

local function unlink(kind, id)
  local email = kind == 'user' and textOf(member(kind, id, 'email'))
  if email then redis.call('DEL', keyOf('email', email)) end
  local owner = isOwned[kind] and textOf(member(kind, id, 'userId'))
  if owner then redis.call('ZREM', indexOf(kind, owner), id) end
end

local function link()
  local email = kind == 'user' and textOf(member(kind, id, 'email'))
  if email then redis.call('SET', keyOf('email', email), id) end
  local time = expires[kind] and timeOf(member(kind, id, 'expires'))
  local owner = isOwned[kind] and textOf(member(kind, id, 'userId'))
  if owner then redis.call('ZADD', indexOf(kind, owner), time or 0, id) end
  if owner and time then trim(indexOf(kind, owner)) end
  if time then redis.call('PEXPIREAT', keyOf(kind, id), time) end
end

-- Returns the row as written: one that has expired already is removed at once.
local function write(members)
  for name, value in pairs(members) do redis.call('HSET', keyOf(kind, id), name, value) end
  local row = read(kind, id)
  link()
  return row
end

local function remove(kind, id)
  local row = read(kind, id)
  unlink(kind, id)
  redis.call('DEL', keyOf(kind, id))
  return row
end

local function removeAll(kind, owner)
  for _, each in ipairs(redis.call('ZRANGE', indexOf(kind, owner), 0, -1)) do
    if textOf(member(kind, each, 'userId')) == owner then remove(kind, each) end
  end
  redis.call('DEL', indexOf(kind, owner))
end

-- Concurrent extensions may arrive out of order. One that would move the expiry back by less than 30 seconds, the
-- deadline of a step, was overtaken, so the later expiry stays (CC-05). A larger change shortens the session (DEC-17c).
local function isOvertaken(given)
  local held = timeOf(member(kind, id, 'expires'))
  local lead = held and given and held - given or 0
  return lead > 0 and lead < 30000
end

local operations = {}

function operations.find() return read(kind, id) end

function operations.findByEmail() return read('user', redis.call('GET', keyOf('email', id))) end

function operations.findOwner() return read('user', textOf(member(kind, id, 'userId'))) end

function operations.findWithOwner()
  local row, owner = read(kind, id), operations.findOwner()
  return row and owner and { row, owner }
end

function operations.list()
  local rows = {}
  for _, each in ipairs(redis.call('ZRANGE', indexOf(kind, id), 0, -1)) do
    if textOf(member(kind, each, 'userId')) == id then rows[#rows + 1] = read(kind, each) end
  end
  return rows
end

function operations.insert()
  if redis.call('EXISTS', keyOf(kind, id)) == 1 then return 'The ' .. kind .. ' exists already' end
  return operations.put()
end

function operations.add()
  if redis.call('EXISTS', keyOf(kind, id)) == 1 then return nil end
  return operations.put()
end

function operations.put()
  local members = membersFrom(4)
  return refusal(members) or write(members)
end

-- ARGV[4] and ARGV[5] are the name of a member and the value that it must have, or empty.
local function isAsExpected()
  return ARGV[4] == '' or member(kind, id, ARGV[4]) == ARGV[5]
end

function operations.change()
  if not read(kind, id) or not isAsExpected() then return nil end
  local members = membersFrom(6)
  local refused = refusal(members)
  if refused then return refused end
  if kind == 'session' and isOvertaken(timeOf(members.expires)) then members.expires = nil end
  unlink(kind, id)
  return write(members)
end

function operations.remove() return isAsExpected() and remove(kind, id) or nil end

function operations.removeAll() removeAll(kind, id) end

function operations.removeUser()
  for _, each in ipairs(owned) do removeAll(each, id) end
  return remove('user', id)
end

return operations[operation]()
`
