-- The detail of a product with stock: locks the account, reads it and the product, charges the fetch.
\set index random(0, :merchants - 1)
\set number random(0, :asked_per_merchant / 5 - 1) * 5 + random(0, 3)
\set merchant :first_merchant + :index
\set product :first_product + :index * :per_merchant + :number

begin;
select set_config('plan_cache_mode', 'force_generic_plan', true)
from detail_usage where merchant_id = :merchant for no key update;
with moment as materialized (
select a.*, t.bound_store, t.now, h.here::date as today,
  (greatest(a.day, h.here::date) + 1)::timestamp at time zone t.zone as day_ends,
  (case when h.here - t.grace + t.grace < h.here
  then date_trunc('day', h.here - t.grace) + interval '1 day -1 microsecond'
  else h.here - t.grace end) at time zone t.zone as to_grace_edge, (case when h.here - t.publish_window + t.publish_window < h.here
  then date_trunc('day', h.here - t.publish_window) + interval '1 day -1 microsecond'
  else h.here - t.publish_window end) at time zone t.zone as to_publish_edge, (case when h.here - t.store_window + t.store_window < h.here
  then date_trunc('day', h.here - t.store_window) + interval '1 day -1 microsecond'
  else h.here - t.store_window end) at time zone t.zone as store_edge
from detail_usage a
cross join (
  select coalesce(nullif(:fixed_time::timestamptz, '-infinity'), clock_timestamp()) as now,
    :zone::text as zone, :bound_store::text as bound_store, :grace::interval as grace,
    :publish::interval as publish_window, :store::interval as store_window
) t
cross join lateral (select t.now at time zone t.zone as here) h
where a.merchant_id = :merchant
), crossed as (
select f.reported, f.published,
  (f.first_at <= m.to_grace_edge and f.last_at > m.to_publish_edge)::int
  - (f.first_at <= m.grace_edge and f.last_at > m.publish_edge)::int as change
from moment m
cross join lateral (
  select least(m.grace_edge, m.to_grace_edge) as grace_from,
    greatest(m.grace_edge, m.to_grace_edge) as grace_to,
    least(m.publish_edge, m.to_publish_edge) as publish_from,
    greatest(m.publish_edge, m.to_publish_edge) as publish_to
) e
cross join lateral (
  select first_at, last_at, reported, published from detail_fetch
  where merchant_id = m.merchant_id and first_at > e.grace_from and first_at <= e.grace_to
  union all
  select first_at, last_at, reported, published from detail_fetch
  where merchant_id = m.merchant_id and last_at > e.publish_from and last_at <= e.publish_to
    and not (first_at > e.grace_from and first_at <= e.grace_to)
) f
), facts as (
  select m.*, m.due + c.due as fetched, m.due_reported + c.reported as reported,
    m.due_published + c.published as published,
    coalesce((select products from store_usage u
      where u.merchant_id = m.merchant_id and u.bound_store = m.bound_store), 0)
      - s.expired as store_products,
    exists (select 1 from store_product p
      where p.merchant_id = m.merchant_id and p.bound_store = m.bound_store
        and p.product_id = :product and p.last_at > m.store_edge) as counted,
    c.rows > 0 or s.expired > 0 as has_aged
  from moment m
  cross join (
    select count(*) as rows, coalesce(sum(change), 0) as due,
      coalesce(sum(change) filter (where reported), 0) as reported,
      coalesce(sum(change) filter (where published), 0) as published
    from crossed
  ) c
  cross join lateral (
    select count(*) as expired from store_product p
    where p.merchant_id = m.merchant_id and p.bound_store = m.bound_store
      and p.last_at <= m.store_edge
  ) s
)
select facts.*, d.*
from facts
left join lateral (
  select d.category_id_tree, d.category_name_tree, d.description, d.imgs, d.price, p.art_no, p.pic,
d.attribute_names, d.attribute_values, d.image_colors, d.image_urls, m.store_url,
m.store_name, d.title, d.video, s.colors, s.sizes, s.quantities from product p
join product_detail d using (merchant_id, product_id)
join merchant_data m using (merchant_id)
cross join lateral (
  select array_agg(c.color order by c.color_no) as colors,
         array_agg(e.sizes order by c.color_no) as sizes,
         array_agg(e.quantities order by c.color_no) as quantities
  from stock_color c
  cross join lateral (
    select string_agg(size_text, ',' order by size) as sizes,
           string_agg(quantity::text, ',' order by size) as quantities
    from stock_entry e
    where e.merchant_id = c.merchant_id and e.product_id = c.product_id
      and e.color_no = c.color_no
  ) e
  where c.merchant_id = p.merchant_id and c.product_id = p.product_id
    and e.sizes is not null
) s
  where p.merchant_id = facts.merchant_id and p.product_id = :product
) d on true \gset
\set used_now :used + 1
\set products_now :store_products + 1
with gone as (
  delete from store_product
  where merchant_id = :merchant and bound_store = :bound_store and last_at <= :store_edge and product_id <> :product
)
, store as (
  insert into store_product (merchant_id, bound_store, product_id, last_at)
  values (:merchant, :bound_store, :product, :now)
  on conflict (merchant_id, bound_store, product_id) do update
  set last_at = excluded.last_at
), account as (
  insert into store_usage (merchant_id, bound_store, products)
  values (:merchant, :bound_store, :products_now)
  on conflict (merchant_id, bound_store) do update set products = excluded.products
), result as (
  select count(*) > 0 as reported,
    coalesce(bool_or(result = 'published'), false) as published
  from publish_result where merchant_id = :merchant and product_id = :product
), before as (
  select first_at <= :to_grace_edge and last_at > :to_publish_edge as is_due
  from detail_fetch where merchant_id = :merchant and product_id = :product
), fetched as (
  insert into detail_fetch as f
    (merchant_id, product_id, first_at, last_at, reported, published)
  select :merchant, :product, :now, :now, reported, published from result
  on conflict (merchant_id, product_id) do update
  set first_at = case when f.last_at <= :to_publish_edge
        then excluded.first_at else f.first_at end,
      last_at = excluded.last_at
  returning first_at, reported, published
), change as (
  select (f.first_at <= :to_grace_edge)::int - coalesce(b.is_due, false)::int as due,
    f.reported::int as reported, f.published::int as published
  from fetched f left join before b on true
)
update detail_usage set day = :today, used = :used_now, grace_edge = :to_grace_edge,
  publish_edge = :to_publish_edge, due = :fetched + c.due, due_reported = :reported + c.due * c.reported,
  due_published = :published + c.due * c.published
from change c where merchant_id = :merchant;
commit;
