-- A random page of the products without stock, of the merchant with the most products.
\set merchant :large_merchant
\set page random(1, :asked_of_large / 5 * 1 / :page_size)
\set skipped (:page - 1) * :page_size

with coarse as materialized (
  select block, matching, sum(matching) over (order by block) as upto
  from (
    select block, products - with_stock as matching from product_block where merchant_id = :merchant and level = 1
  ) counted
), region as (
  select block, :skipped - (upto - matching) as skip
  from coarse where upto > :skipped order by block limit 1
), fine as materialized (
  select f.block, f.matching, region.skip, sum(f.matching) over (order by f.block) as upto
  from region cross join lateral (
    select block, products - with_stock as matching from product_block
    where merchant_id = :merchant and level = 0
      and block >= region.block * 64 and block < (region.block + 1) * 64
  ) f
), start as (
  select block * 256 as first, skip - (upto - matching) as skip
  from fine where upto > skip order by block limit 1
)
select (select coalesce(max(upto), 0) from coarse) as total, p.ids, p.art_nos, p.pics,
       (select hash from log_head where merchant_id = :merchant) as hash
from (
  select coalesce(array_agg(product_id order by number), '{}') as ids,
    coalesce(array_agg(art_no order by number), '{}') as art_nos,
    coalesce(array_agg(pic order by number), '{}') as pics
  from start cross join lateral (
    select product_id, art_no, pic, number from product
    where merchant_id = :merchant and not has_stock and number >= start.first
    order by number
    offset start.skip limit :page_size
  ) found
) p;
