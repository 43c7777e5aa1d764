-- A wrk script that sends the requests of a file, each preceded by a line with its length. Arguments:
-- the file; "once" if no request may be sent twice, otherwise "again"; the number of threads. Prints
-- one line: requests, microseconds, p50 and p99 in microseconds, failures, 1 if they ran out.
local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

function init(arguments)
  once = arguments[2] == "once"
  local count = tonumber(arguments[3])
  requests = {}
  next_request = 0
  ran_out = 0
  local file = io.open(arguments[1], "rb")
  local i = 0
  for length in file:lines() do
    local request = file:read(tonumber(length))
    if i % count == number then requests[#requests + 1] = request end
    i = i + 1
  end
  file:close()
end

function request()
  next_request = next_request + 1
  if next_request > #requests then
    if once then ran_out = 1 end
    next_request = 1
  end
  return requests[next_request]
end

function done(summary, latency, _)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local out = 0
  for _, thread in ipairs(threads) do out = out + thread:get("ran_out") end
  io.write(string.format("bench %d %d %.1f %.1f %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), failed, out))
end
