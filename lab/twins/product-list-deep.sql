-- One of the ten pages up to page 1,000 of the merchant with the most products, or of its last ten.
\set merchant :large_merchant
\set page :deep_page - random(0, :deep_pages - 1)
\set first (:page - 1) * :page_size
\set end :first + :page_size

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
