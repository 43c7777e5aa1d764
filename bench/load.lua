-- Signed requests for wrk: the operation is its argument. Prints how many answers were no success.
local env = os.getenv
local products = tonumber(env("BENCH_PRODUCTS"))
local headers = {
  ["appid"] = env("BENCH_APPID"),
  ["sign"] = env("BENCH_SIGN"),
  ["timestamp"] = env("BENCH_TIMESTAMP"),
  ["accesstoken"] = env("BENCH_TOKEN"),
  ["Content-Type"] = "application/x-www-form-urlencoded",
}
local threads = {}

-- Numbers 0 to products - 1, of which every fifth has no stock; ids begin at 1.
local function stocked() return math.random(0, products / 5 - 1) * 5 + math.random(1, 4) end

local pages = math.ceil(products / 50)
local bodies = {
  ["stock-list"] = function() return "/Stock/List", "productid=" .. stocked() end,
  ["page-1"] = function() return "/Stock/Product", "page=1" end,
  ["page-last"] = function() return "/Stock/Product", "page=" .. pages end,
  ["filtered"] = function() return "/Stock/Product", "stock=true&page=" .. math.random(1, math.floor(pages * 0.8)) end,
  ["detail"] = function()
    local fetcher = math.random(1, #fetchers)
    headers["accesstoken"] = fetchers[fetcher]
    local number = math.random(0, 199) * 5 + math.random(1, 4)
    return "/Product/Detail", "pid=" .. (products + (fetcher - 1) * 1000 + number)
  end,
}

function setup(thread)
  thread:set("seed", #threads + os.time())
  table.insert(threads, thread)
end

function init(arguments)
  math.randomseed(seed)
  make = bodies[arguments[1]]
  failed = 0
  fetchers = {}
  for line in io.lines(env("BENCH_FETCHERS")) do
    table.insert(fetchers, string.match(line, "%S+ (%S+)"))
  end
end

function request()
  local path, body = make()
  return wrk.format("POST", path, headers, body)
end

function response(status, _, body)
  if status ~= 200 or string.sub(body, 1, 15) ~= '{"success":true' then failed = failed + 1 end
end

function done()
  local sum = 0
  for _, thread in ipairs(threads) do sum = sum + (thread:get("failed") or 0) end
  io.write("failed " .. sum .. "\n")
end
