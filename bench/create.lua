-- Creates of 1,500 entries (50 products × 6 colours × 5 sizes) for wrk, signed ahead. The argument
-- is "existing" (the same colours again and again) or "new" (colours that never were).
local products = tonumber(os.getenv("BENCH_PRODUCTS"))
local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

function init(arguments)
  math.randomseed(os.time() + number * 7919)
  fresh = arguments[1] == "new"
  failed = 0
  next_line = 0
  signatures = {}
  local i = 0
  for line in io.lines(os.getenv("BENCH_SIGNATURES")) do
    if i % 2 == number then table.insert(signatures, line) end
    i = i + 1
  end
end

function request()
  next_line = next_line + 1
  local appid, token, timestamp, sign = string.match(signatures[next_line], "(%S+) (%S+) (%S+) (%S+)")
  local base = math.random(0, products / 50 - 1) * 50 + 1
  local quantity = math.random(0, 100000)
  local name = fresh and (timestamp .. number .. next_line .. "-") or "bench"
  local groups = {}
  for product = 0, 49 do
    for colour = 1, 6 do
      groups[#groups + 1] = '{"color":"' .. name .. colour .. '","pid":' .. (base + product)
        .. ',"param":[{"size":"36-40","stock":' .. quantity .. '}]}'
    end
  end
  return wrk.format("POST", "/Stock/Creat", {
    ["appid"] = appid, ["sign"] = sign, ["timestamp"] = timestamp, ["accesstoken"] = token,
    ["Content-Type"] = "application/json",
  }, "[" .. table.concat(groups, ",") .. "]")
end

function response(status, _, body)
  if status ~= 200 or body ~= '{"success":true,"msg":""}' then
    if failed == 0 then io.stderr:write(status .. " " .. body .. "\n") end
    failed = failed + 1
  end
end

function done()
  local sum = 0
  for _, thread in ipairs(threads) do sum = sum + (thread:get("failed") or 0) end
  io.write("failed " .. sum .. "\n")
end
