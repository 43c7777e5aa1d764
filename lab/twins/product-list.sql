-- The first page of one of the merchants.
\set merchant :first_merchant + random(0, :merchants - 1)
\set page 1
\set first 0
\set end :page_size

-- The server batches concurrent calls into one statement. The twin sends one call per statement; the
-- server's statement:
--> select k.n, m.products as total, p.ids, p.art_nos, p.pics, h.hash
--> from unnest((select ?::int[]), (select ?::int[]), (select ?::int[])) with ordinality k (merchant_id, first, last, n)
--> join merchant_data m on m.merchant_id = k.merchant_id and m.archived = 0
--> left join log_head h on h.merchant_id = k.merchant_id
--> cross join lateral (
-->   select coalesce(array_agg(product_id order by number), '{}') as ids,
-->     coalesce(array_agg(art_no order by number), '{}') as art_nos,
-->     coalesce(array_agg(pic order by number), '{}') as pics
-->   from product
-->   where merchant_id = k.merchant_id and number >= k.first and number <= k.last
--> ) p;

select m.products, p.product_id, p.art_no, p.pic
from merchant_data m
left join product p
  on p.merchant_id = m.merchant_id and p.number >= :first and p.number < :end
where m.merchant_id = :merchant
order by p.number;
