-- The first page of one of the merchants.
\set merchant :first_merchant + random(0, :merchants - 1)
\set page 1
\set first 0
\set end :page_size

select m.products, p.product_id, p.art_no, p.pic
from merchant m
left join product p
  on p.merchant_id = m.merchant_id and p.number >= :first and p.number < :end
where m.merchant_id = :merchant
order by p.number;
