-- wrk: POST one body over and over, its priorities in turn, and say what became of it as JSON.
-- Arguments: the body's file, the path.
local requests, at = {}, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  local body = file:read("*a")
  file:close()
  for priority = 0, 9 do
    local headers = {["content-type"] = "application/json", ["x-sluice-priority"] = priority}
    requests[priority + 1] = wrk.format("POST", args[2], headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  local report = '{"answers": %d, "seconds": %f, "p99_ms": %f, "refused": %d, "broken": %d}\n'
  io.write(string.format(report, summary.requests - errors.status, summary.duration / 1e6,
                         latency:percentile(99) / 1e3, errors.status,
                         errors.connect + errors.read + errors.write + errors.timeout))
end
