-- Sets the quantity of existing entries: colors and sizes of consecutive products.
\set counter :counter + 1
\set index (:client_id + :counter * :clients) % :merchants
\set window random(0, :windows - 1)
\set base :first_product + :index * :per_merchant + :window * :window_span
\set merchant :first_merchant + :index
\set application :first_application + :index % :applications
\set token :first_token + :index
\set signed :counter * 1000 + :client_id
\set quantity random(0, 1000000)

-- Only for the driver: pgbench has no arrays, so the database builds those that the server sends.
select (select array_agg(:base + o) from unnest(:offsets::int[]) o) as products,
  (select array_agg(:base + o) from unnest(:entry_offsets::int[]) o) as entry_products,
  :token::text || ' ' || :signed::text as key,
  array_fill(:quantity::int, array[:entries::int]) as quantities \gset
begin;
insert into call_rate as r (merchant_id, application_id, endpoint, calls)
select :merchant, :application, :endpoint, '{}'
where set_config('lock_timeout', :lock_wait, true) is not null
  and set_config('plan_cache_mode', 'force_generic_plan', true) is not null
on conflict (merchant_id, application_id, endpoint) do update set calls = r.calls
returning clock_timestamp() as now,
  calls[cardinality(calls) + 1 - :limit] + :window_millis * interval '1 millisecond'
    as opens_at,
  (select count(*) from unnest(calls) c
   where c + :window_millis * interval '1 millisecond' > clock_timestamp()) as used \gset
select body_hash, code, answer, expires_at <= now() as expired
from idempotent_reply
where merchant_id = :merchant and application_id = :application
  and endpoint = :endpoint and key = :key;
select product_id, number, has_stock from product
where merchant_id = :merchant and product_id = any (:products)
order by product_id
for no key update;
select product_id, color, color_no from stock_color
where merchant_id = :merchant and product_id = any (:products);
with put as (
  select g.product_id, g.color_no, g.size, coalesce(r.size_text, g.size_text) as size_text,
    coalesce(r.guid, g.guid) as guid, e.quantity as quantity_before,
    g.quantity as quantity_after, e.barcode as barcode_before,
    case when g.barcode is null then e.barcode else nullif(g.barcode, '') end
      as barcode_after
  from unnest(:entry_products::int[], :entry_colors::smallint[], :entry_sizes::text[], :entry_size_texts::text[], :quantities::int[], :guids::uuid[], :barcodes::text[])
    g (product_id, color_no, size, size_text, quantity, guid, barcode)
  left join lateral (
    select quantity, barcode from stock_entry
    where merchant_id = :merchant and product_id = g.product_id
      and color_no = g.color_no and size = g.size
    limit 1
  ) e on true
  left join lateral (
    select guid, size_text from removed_entry
    where merchant_id = :merchant and product_id = g.product_id
      and color_no = g.color_no and size = g.size
    limit 1
  ) r on e.quantity is null
  where e.quantity is distinct from g.quantity
    or (g.barcode is not null and nullif(g.barcode, '') is distinct from e.barcode)
), written as (
  insert into stock_entry
    (merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode)
  select :merchant, product_id, color_no, size, size_text, quantity_after, guid,
    barcode_after
  from put
  on conflict (merchant_id, product_id, color_no, size) do update
  set quantity = excluded.quantity, barcode = excluded.barcode
)
, changed as (select * from put), grouped as (
  select product_id, 'stock' as kind, null::boolean as created, null::text[] as fields,
    array_agg(color_no) as colors, array_agg(size) as sizes,
    array_agg(quantity_before) as quantities_before,
    array_agg(quantity_after) as quantities_after,
    case when bool_or(barcode_before is distinct from barcode_after) then array_agg(
      case when barcode_before is distinct from barcode_after then barcode_before end)
    end as barcodes_before,
    case when bool_or(barcode_before is distinct from barcode_after) then array_agg(
      case when barcode_before is distinct from barcode_after then barcode_after end)
    end as barcodes_after, null::bigint as undoes
  from changed group by product_id
)
, counted as (select count(*) as changes from grouped), head as (
  select * from log_head where merchant_id = :merchant for no key update
), fresh as materialized (
  select head.merchant_id, head.number + 1 as number,
    greatest(head.at, clock_timestamp()) as at, :actor::text as actor,
    :action::text as action, :subject::text as subject, :details::text as details,
    :address::text as address,
    case when counted.changes > 0 then head.last_change + 1 end as first_change,
    case when counted.changes > 0 then head.last_change + counted.changes end as last_change,
    head.hash as hash_before
  from head cross join counted
), entry as materialized (
  select fresh.*, sha256(hash_before || convert_to(concat_ws(chr(31), merchant_id, number, (extract(epoch from at) * 1000000)::bigint,
    actor, action, subject, details, address, first_change, last_change), 'UTF8')
  ) as hash from fresh
), moved as (
  update log_head h
  set number = e.number, at = e.at, hash = e.hash,
    last_change = coalesce(e.last_change, h.last_change)
  from entry e where h.merchant_id = e.merchant_id
), added as (
  insert into audit (merchant_id, number, at, actor, action, subject, details, address,
    first_change, last_change, hash)
  select merchant_id, number, at, actor, action, subject, details, address, first_change,
    last_change, hash
  from entry
)
, recorded as (
  insert into change_log
    (merchant_id, number, at, batch, source, product_id, kind, undoes, created, fields,
     colors, sizes, quantities_before, quantities_after, barcodes_before, barcodes_after)
  select e.merchant_id,
    e.first_change - 1 + row_number() over (order by g.product_id, g.kind), e.at,
    e.number, :source::text, g.product_id, g.kind, coalesce(g.undoes, null::bigint), g.created, g.fields,
    g.colors, g.sizes, g.quantities_before, g.quantities_after, g.barcodes_before,
    g.barcodes_after
  from entry e cross join grouped g
)
select number, last_change from entry;
with spent as (
  update call_rate
  set calls = (calls || :now::timestamptz)[greatest(1, cardinality(calls) + 2 - :limit):]
  where merchant_id = :merchant and application_id = :application
    and endpoint = :endpoint
)
insert into idempotent_reply
  (merchant_id, application_id, endpoint, key, body_hash, code, answer, expires_at)
select :merchant, :application, :endpoint, :key, :body_hash, :code, :answer,
  :now::timestamptz + :life_seconds * interval '1 second'
where :key <> ''
on conflict (merchant_id, application_id, endpoint, key) do update
set body_hash = excluded.body_hash, code = excluded.code, answer = excluded.answer,
  expires_at = excluded.expires_at;
commit;
