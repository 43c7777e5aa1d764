-- A page of the products with stock, anywhere, of the merchant with the most products.
\set merchant :large_merchant
\set page random(1, :large_products / 5 * 4 / :page_size)
\set skipped (:page - 1) * :page_size

with block as materialized (
  select block, matching, sum(matching) over (order by block) as upto
  from (select block, with_stock as matching from product_block where merchant_id = :merchant) counted
), start as (
  select block * 256 as number, :skipped - (upto - matching) as skip
  from block where upto > :skipped order by block limit 1
)
select (select coalesce(max(upto), 0) from block) as total,
       p.product_id, p.art_no, p.pic
from (select 1) one
left join (
  select found.product_id, found.art_no, found.pic, found.number
  from start, lateral (
    select product_id, art_no, pic, number from product
    where merchant_id = :merchant and has_stock = true and number >= start.number
    order by number
    offset start.skip limit :page_size
  ) found
) p on true
order by p.number;
