-- Adds one to an existing entry of one of the merchants.
\set index random(0, :merchants - 1)
\set number random(0, :asked_per_merchant / 5 - 1) * 5 + random(0, 3)
\set merchant :first_merchant + :index
\set product :first_product + :index * :per_merchant + :number
\set application :first_application + :index % :applications

-- The twin names the entry without arrays, which pgbench does not have; the server's statements:
--> begin;
--> insert into call_rate as r (merchant_id, application_id, endpoint, calls)
--> select ?, ?, ?, '{}'
--> where set_config('lock_timeout', ?, true) is not null
-->   and set_config('plan_cache_mode', 'force_generic_plan', true) is not null
--> on conflict (merchant_id, application_id, endpoint) do update set calls = r.calls
--> returning clock_timestamp() as now,
-->   calls[cardinality(calls) + 1 - ?] + ? * interval '1 millisecond'
-->     as opens_at,
-->   (select count(*) from unnest(calls) c
-->    where c + ? * interval '1 millisecond' > clock_timestamp()) as used;
--> select body_hash, code, answer, expires_at <= now() as expired
--> from idempotent_reply
--> where merchant_id = ? and application_id = ?
-->   and endpoint = ? and key = ?;
--> select product_id, number, has_stock from product
--> where merchant_id = ? and product_id = any (?)
--> order by product_id
--> for no key update;
--> select g.element, e.product_id, c.color, e.color_no, e.size_text, e.quantity, e.guid
--> from unnest(?::int[], ?::int[], ?::text[], ?::text[],
-->     ?::text[]) g (element, product_id, color, size, barcode)
--> cross join lateral (
-->   select n.* from stock_color k
-->   join stock_entry n using (merchant_id, product_id, color_no)
-->   where k.merchant_id = ? and k.product_id = g.product_id
-->     and k.color = g.color and n.size = g.size
-->   union all
-->   (select * from stock_entry
-->    where merchant_id = ? and barcode = g.barcode
-->    limit 2)
--> ) e
--> join stock_color c on c.merchant_id = ? and c.product_id = e.product_id
-->   and c.color_no = e.color_no;
--> with changed as (
-->   select g.*, null::text as barcode_before, null::text as barcode_after
-->   from unnest(?::int[], ?::smallint[], ?::text[],
-->       ?::int[], ?::int[])
-->     g (product_id, color_no, size, quantity_before, quantity_after)
--> ), written as (
-->   update stock_entry e set quantity = g.quantity_after
-->   from changed g
-->   where e.merchant_id = ? and e.product_id = g.product_id
-->     and e.color_no = g.color_no and e.size = g.size
--> )
--> , grouped as (
-->   select product_id, 'stock' as kind, null::boolean as created, null::text[] as fields,
-->     array_agg(color_no) as colors, array_agg(size) as sizes,
-->     array_agg(quantity_before) as quantities_before,
-->     array_agg(quantity_after) as quantities_after,
-->     case when bool_or(barcode_before is distinct from barcode_after) then array_agg(
-->       case when barcode_before is distinct from barcode_after then barcode_before end)
-->     end as barcodes_before,
-->     case when bool_or(barcode_before is distinct from barcode_after) then array_agg(
-->       case when barcode_before is distinct from barcode_after then barcode_after end)
-->     end as barcodes_after, null::bigint as undoes
-->   from changed group by product_id
--> )
--> , counted as (select count(*) as changes from grouped), head as (
-->   select * from log_head where merchant_id = ? for no key update
--> ), fresh as materialized (
-->   select head.merchant_id, head.number + 1 as number,
-->     greatest(head.at, clock_timestamp()) as at, ?::text as actor,
-->     ?::text as action, ?::text as subject, ?::text as details,
-->     ?::text as address,
-->     case when counted.changes > 0 then head.last_change + 1 end as first_change,
-->     case when counted.changes > 0 then head.last_change + counted.changes end as last_change,
-->     head.hash as hash_before
-->   from head cross join counted
--> ), entry as materialized (
-->   select fresh.*, sha256(hash_before || convert_to(concat_ws(chr(31), merchant_id, number, (extract(epoch from at) * 1000000)::bigint,
-->     actor, action, subject, details, address, first_change, last_change), 'UTF8')
-->   ) as hash from fresh
--> ), moved as (
-->   update log_head h
-->   set number = e.number, at = e.at, hash = e.hash,
-->     last_change = coalesce(e.last_change, h.last_change)
-->   from entry e where h.merchant_id = e.merchant_id
--> ), added as (
-->   insert into audit (merchant_id, number, at, actor, action, subject, details, address,
-->     first_change, last_change, hash)
-->   select merchant_id, number, at, actor, action, subject, details, address, first_change,
-->     last_change, hash
-->   from entry
--> )
--> , recorded as (
-->   insert into change_log
-->     (merchant_id, number, at, batch, source, product_id, kind, undoes, created, fields,
-->      colors, sizes, quantities_before, quantities_after, barcodes_before, barcodes_after)
-->   select e.merchant_id,
-->     e.first_change - 1 + row_number() over (order by g.product_id, g.kind), e.at,
-->     e.number, ?::text, g.product_id, g.kind, coalesce(g.undoes, null::bigint), g.created, g.fields,
-->     g.colors, g.sizes, g.quantities_before, g.quantities_after, g.barcodes_before,
-->     g.barcodes_after
-->   from entry e cross join grouped g
--> )
--> select number, last_change from entry;
--> with spent as (
-->   update call_rate
-->   set calls = (calls || ?::timestamptz)[greatest(1, cardinality(calls) + 2 - ?):]
-->   where merchant_id = ? and application_id = ?
-->     and endpoint = ?
--> )
--> insert into idempotent_reply
-->   (merchant_id, application_id, endpoint, key, body_hash, code, answer, expires_at)
--> select ?, ?, ?, ?, ?, ?, ?,
-->   ?::timestamptz + ? * interval '1 second'
--> where ? <> ''
--> on conflict (merchant_id, application_id, endpoint, key) do update
--> set body_hash = excluded.body_hash, code = excluded.code, answer = excluded.answer,
-->   expires_at = excluded.expires_at;
--> commit;

begin;
insert into call_rate as r (merchant_id, application_id, endpoint, calls)
select :merchant, :application, '/Stock/Adjust', '{}'
where set_config('lock_timeout', '2000', true) is not null
  and set_config('plan_cache_mode', 'force_generic_plan', true) is not null
on conflict (merchant_id, application_id, endpoint) do update set calls = r.calls
returning clock_timestamp() as now,
  calls[cardinality(calls) + 1 - 1] + 0 * interval '1 millisecond'
    as opens_at,
  (select count(*) from unnest(calls) c
   where c + 0 * interval '1 millisecond' > clock_timestamp()) as used \gset
select body_hash, code, answer, expires_at <= now() as expired
from idempotent_reply
where merchant_id = :merchant and application_id = :application
  and endpoint = '/Stock/Adjust' and key = '';
select product_id, number, has_stock from product
where merchant_id = :merchant and product_id = any (array[:product::int])
order by product_id
for no key update;
select g.element, e.product_id, c.color, e.color_no, e.size_text, e.quantity, e.guid
from unnest(array[0], array[:product::int], array[:color_name::text], array['b36'::text],
    array[null::text]) g (element, product_id, color, size, barcode)
cross join lateral (
  select n.* from stock_color k
  join stock_entry n using (merchant_id, product_id, color_no)
  where k.merchant_id = :merchant and k.product_id = g.product_id
    and k.color = g.color and n.size = g.size
  union all
  (select * from stock_entry
   where merchant_id = :merchant and barcode = g.barcode
   limit 2)
) e
join stock_color c on c.merchant_id = :merchant and c.product_id = e.product_id
  and c.color_no = e.color_no \gset
with changed as (
  select g.*, null::text as barcode_before, null::text as barcode_after
  from unnest(array[:product::int], array[:color_no::smallint], array['b36'::text],
      array[:quantity::int], array[:quantity::int + 1])
    g (product_id, color_no, size, quantity_before, quantity_after)
), written as (
  update stock_entry e set quantity = g.quantity_after
  from changed g
  where e.merchant_id = :merchant and e.product_id = g.product_id
    and e.color_no = g.color_no and e.size = g.size
)
, grouped as (
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
  set calls = (calls || :now::timestamptz)[greatest(1, cardinality(calls) + 2 - 1):]
  where merchant_id = :merchant and application_id = :application
    and endpoint = '/Stock/Adjust'
)
insert into idempotent_reply
  (merchant_id, application_id, endpoint, key, body_hash, code, answer, expires_at)
select :merchant, :application, '/Stock/Adjust', '', '', '', '',
  :now::timestamptz + 86400 * interval '1 second'
where '' <> ''
on conflict (merchant_id, application_id, endpoint, key) do update
set body_hash = excluded.body_hash, code = excluded.code, answer = excluded.answer,
  expires_at = excluded.expires_at;
commit;
