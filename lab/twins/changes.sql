-- 1,000 changes of one entry each, after a cursor of the merchant with very many products.
\set merchant :large_merchant
\set after :feed_first + random(0, :feed_changes - 1000) - 1

-- The server batches concurrent calls into one statement. The twin sends one call per statement; the
-- server's statement:
--> select k.n, h.log_id, h.last_change, coalesce(o.number, h.last_change + 1) as oldest,
-->   c.number, c.at, c.kind, c.product_id, coalesce(p.art_no, a.art_no) as art_no, c.source, c.batch,
-->   c.created, c.fields,
-->   e.guids, e.barcodes, e.colors, e.sizes, e.before, e.after
--> from unnest((select ?::int[]), (select ?::bigint[]), (select ?::int[]))
-->   with ordinality k (merchant_id, after, max, n)
--> join log_head h on h.merchant_id = k.merchant_id
--> left join lateral (
-->   select number from change_log where merchant_id = k.merchant_id
-->   order by number limit 1
--> ) o on true
--> left join lateral (
-->   select l.*, sum(cardinality(l.sizes)) over
-->     (order by l.number rows between unbounded preceding and 1 preceding) as entries_before
-->   from (
-->     select * from change_log
-->     where merchant_id = k.merchant_id and number > k.after
-->     order by number limit k.max
-->   ) l
--> ) c on coalesce(c.entries_before, 0) < ?
--> left join product p on p.merchant_id = k.merchant_id and p.product_id = c.product_id
--> left join archived_product a on a.merchant_id = k.merchant_id and a.product_id = c.product_id
--> left join lateral (
-->   select array_agg(encode(uuid_send(coalesce(e.guid, r.guid)), 'hex')
-->       order by u.color_no, u.size collate "C") as guids,
-->     array_agg(case when e.guid is null then r.barcode else e.barcode end
-->       order by u.color_no, u.size collate "C") as barcodes,
-->     array_agg(s.color order by u.color_no, u.size collate "C") as colors,
-->     array_agg(coalesce(e.size_text, r.size_text)
-->       order by u.color_no, u.size collate "C") as sizes,
-->     array_agg(u.before order by u.color_no, u.size collate "C") as before,
-->     array_agg(u.after order by u.color_no, u.size collate "C") as after
-->   from unnest(c.colors, c.sizes, c.quantities_before, c.quantities_after)
-->     u (color_no, size, before, after)
-->   left join stock_entry e on e.merchant_id = k.merchant_id
-->     and e.product_id = c.product_id and e.color_no = u.color_no and e.size = u.size
-->   left join removed_entry r on r.merchant_id = k.merchant_id
-->     and r.product_id = c.product_id and r.color_no = u.color_no and r.size = u.size
-->   left join stock_color s on s.merchant_id = k.merchant_id
-->     and s.product_id = c.product_id and s.color_no = u.color_no
--> ) e on c.kind = 'stock'
--> order by k.n, c.number;

select k.n, h.log_id, h.last_change, coalesce(o.number, h.last_change + 1) as oldest,
  c.number, c.at, c.kind, c.product_id, coalesce(p.art_no, a.art_no) as art_no, c.source, c.batch,
  c.created, c.fields,
  e.guids, e.barcodes, e.colors, e.sizes, e.before, e.after
from unnest(array[:merchant::int], array[:after::bigint], array[1000])
  with ordinality k (merchant_id, after, max, n)
join log_head h on h.merchant_id = k.merchant_id
left join lateral (
  select number from change_log where merchant_id = k.merchant_id
  order by number limit 1
) o on true
left join lateral (
  select l.*, sum(cardinality(l.sizes)) over
    (order by l.number rows between unbounded preceding and 1 preceding) as entries_before
  from (
    select * from change_log
    where merchant_id = k.merchant_id and number > k.after
    order by number limit k.max
  ) l
) c on coalesce(c.entries_before, 0) < 10000
left join product p on p.merchant_id = k.merchant_id and p.product_id = c.product_id
left join archived_product a on a.merchant_id = k.merchant_id and a.product_id = c.product_id
left join lateral (
  select array_agg(encode(uuid_send(coalesce(e.guid, r.guid)), 'hex')
      order by u.color_no, u.size collate "C") as guids,
    array_agg(case when e.guid is null then r.barcode else e.barcode end
      order by u.color_no, u.size collate "C") as barcodes,
    array_agg(s.color order by u.color_no, u.size collate "C") as colors,
    array_agg(coalesce(e.size_text, r.size_text)
      order by u.color_no, u.size collate "C") as sizes,
    array_agg(u.before order by u.color_no, u.size collate "C") as before,
    array_agg(u.after order by u.color_no, u.size collate "C") as after
  from unnest(c.colors, c.sizes, c.quantities_before, c.quantities_after)
    u (color_no, size, before, after)
  left join stock_entry e on e.merchant_id = k.merchant_id
    and e.product_id = c.product_id and e.color_no = u.color_no and e.size = u.size
  left join removed_entry r on r.merchant_id = k.merchant_id
    and r.product_id = c.product_id and r.color_no = u.color_no and r.size = u.size
  left join stock_color s on s.merchant_id = k.merchant_id
    and s.product_id = c.product_id and s.color_no = u.color_no
) e on c.kind = 'stock'
order by k.n, c.number;
