-- Page 1,000 of the merchant that has so many, or their last full one.
\set merchant :large_merchant
\set page :deep_page
\set first (:page - 1) * :page_size
\set end :first + :page_size

-- The server asks for all callers that wait at the same moment with one statement. The twin asks for
-- one at a time, as a client alone would; what the server sends instead:
--> select k.n, m.products, p.product_id, p.art_no, p.pic
--> from unnest(?::int[], ?::int[], ?::int[]) with ordinality k (merchant_id, first, last, n)
--> join merchant_data m on m.merchant_id = k.merchant_id
--> left join product p
-->   on p.merchant_id = m.merchant_id and p.number >= k.first and p.number <= k.last
--> order by k.n, p.number;

select m.products, p.product_id, p.art_no, p.pic
from merchant_data m
left join product p
  on p.merchant_id = m.merchant_id and p.number >= :first and p.number < :end
where m.merchant_id = :merchant
order by p.number;
