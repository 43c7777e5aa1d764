-- A wrk script that makes and signs the requests of operations. The twins (lab/twins) draw the same inputs.
-- Arguments: the plan, with numbers, accounts, colors and cursors; operations with weights, such as
-- "stock-list:60,detail:40"; the number of threads; requests per second of one connection, 0 for as many as are
-- answered; "check" if every response is read. Prints: requests, microseconds, p50, p90, p99 in microseconds,
-- rejections (503), and other failures.
local ffi = require("ffi")
ffi.cdef "unsigned char *MD5(const unsigned char *data, size_t length, unsigned char *digest);"
local crypto = ffi.load("libcrypto.so.3")
local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

local plan, accounts, colors, cursors = {}, {}, {}, {}
local deck, counter, digest = {}, 0, ffi.new("unsigned char[16]")
local FORM, JSON = "application/x-www-form-urlencoded", "application/json"
shed, wrong, example = 0, 0, ""

local function read_plan(file)
  for line in io.lines(file) do
    local name, value = line:match("^(%S+) (.*)$")
    if name == "account" then
      local appid, secret, token = value:match("^(%S+) (%S+) (%S+)$")
      accounts[#accounts + 1] = { appid = appid, secret = secret, token = token, second = 0 }
    elseif name == "color" then
      colors[#colors + 1] = value
    elseif name == "cursor" then
      cursors[#cursors + 1] = value
    else
      plan[name] = tonumber(value)
    end
  end
end

-- The headers of an account, signed once a second. Account 0 is that of the merchant with very many products.
local function signed(index, kind)
  local account, second = accounts[index + 1], os.time()
  if account.second ~= second then
    local text, sign = account.secret .. second, {}
    crypto.MD5(text, #text, digest)
    for i = 0, 15 do sign[i + 1] = string.format("%02X", digest[i]) end
    account.second, account.sign = second, table.concat(sign)
  end
  return { ["appid"] = account.appid, ["sign"] = account.sign, ["timestamp"] = tostring(second),
    ["accesstoken"] = account.token, ["Content-Type"] = kind }
end

local function post(path, index, kind, body) return wrk.format("POST", path, signed(index, kind), body) end

local function page(index, number, filter)
  return post("/Stock/Product", index, FORM, "page=" .. number .. (filter or ""))
end

-- One of the merchants, and one of its products with stock: of five, the last has none.
local function stocked()
  local index = math.random(0, plan.merchants - 1)
  local number = math.random(0, math.floor(plan.asked_per_merchant / 5) - 1) * 5 + math.random(0, 3)
  return index + 1, plan.first_product + index * plan.per_merchant + number
end

local function create(products, is_new)
  counter = counter + 1
  local index = (number + counter * plan.threads) % plan.merchants
  local span = products == 1 and 5 or products / 4 * 5
  local windows = math.max(1, math.floor(plan.asked_per_merchant / span))
  local base = plan.first_product + index * plan.per_merchant + math.random(0, windows - 1) * span
  local size = products == 1 and "36" or "36-40"
  local param = string.format('","param":[{"size":"%s","stock":%d}]}', size, math.random(0, 1000000))
  local items = {}
  for product = 0, products - 1 do
    local pid = base + math.floor(product / 4) * 5 + product % 4
    for color = 1, products == 1 and 1 or 5 do
      local name = is_new and string.format("new %d %d %d %d", plan.run, number, counter, color) or colors[color]
      items[#items + 1] = '{"pid":' .. pid .. ',"color":"' .. name .. param
    end
  end
  return post("/Stock/Creat", index + 1, JSON, "[" .. table.concat(items, ",") .. "]")
end

local operations = {
  ["product-list"] = function() return page(math.random(1, plan.merchants), 1) end,
  ["product-list-deep"] = function() return page(0, plan.deep_page - math.random(0, plan.deep_pages - 1)) end,
  ["product-list-stocked"] = function()
    return page(0, math.random(1, math.floor(math.floor(plan.asked_of_large / 5) * 4 / plan.page_size)), "&stock=true")
  end,
  ["product-list-bare"] = function()
    return page(0, math.random(1, math.floor(math.floor(plan.asked_of_large / 5) / plan.page_size)), "&stock=false")
  end,
  ["stock-list"] = function()
    local index, product = stocked()
    return post("/Stock/List", index, FORM, "productid=" .. product)
  end,
  ["detail"] = function()
    local index, product = stocked()
    return post("/Product/Detail", index, FORM, "pid=" .. product)
  end,
  ["changes"] = function() return post("/Changes", 0, FORM, "limit=1000&after=" .. cursors[math.random(#cursors)]) end,
  ["adjust"] = function()
    local index, product = stocked()
    local body = string.format('[{"pid":%d,"color":"%s","size":36,"change":1}]', product, colors[1])
    return post("/Stock/Adjust", index, JSON, body)
  end,
}
for _, products in ipairs { 1, 12, 60 } do
  operations["create-existing-" .. products] = function() return create(products, false) end
  operations["create-new-" .. products] = function() return create(products, true) end
end

function init(arguments)
  read_plan(arguments[1])
  plan.threads = tonumber(arguments[3])
  math.randomseed(os.time() * 100 + number)
  for name, weight in arguments[2]:gmatch("([%w-]+):(%d+)") do
    for _ = 1, tonumber(weight) do deck[#deck + 1] = operations[name] end
  end
  local rate = tonumber(arguments[4])
  if rate > 0 then
    function delay() return math.random(0, math.floor(2000 / rate)) end
  end
  if arguments[5] == "check" then
    function response(status, _, body)
      if status == 503 then
        shed = shed + 1
      elseif status ~= 200 or body:sub(1, 15) ~= '{"success":true' then
        wrong, example = wrong + 1, status .. " " .. body:sub(1, 300)
      end
    end
  end
end

function request() return deck[math.random(#deck)]() end

function done(summary, latency, _)
  local errors, all_shed, all_wrong, text = summary.errors, 0, 0, ""
  for _, thread in ipairs(threads) do
    all_shed, all_wrong = all_shed + thread:get("shed"), all_wrong + thread:get("wrong")
    text = text .. thread:get("example")
  end
  local failed = errors.connect + errors.read + errors.timeout + math.max(all_wrong, errors.status - all_shed)
  io.write(string.format("bench %d %d %.1f %.1f %.1f %d %d %s\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(90), latency:percentile(99), all_shed, failed, text))
end
