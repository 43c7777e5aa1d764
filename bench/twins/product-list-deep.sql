-- Page 1,000 of the merchant that has so many, or their last full one.
\set merchant :large_merchant
\set page :deep_page
\set first (:page - 1) * :page_size
\set end :first + :page_size

select m.products, p.product_id, p.art_no, p.pic
from merchant m
left join product p
  on p.merchant_id = m.merchant_id and p.number >= :first and p.number < :end
where m.merchant_id = :merchant
order by p.number;
