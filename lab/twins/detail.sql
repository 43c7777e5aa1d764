-- The detail of a product with stock: locks the account, reads it and the product, charges the fetch.
\set index random(0, :merchants - 1)
\set number random(0, :asked_per_merchant / 5 - 1) * 5 + random(0, 3)
\set merchant :first_merchant + :index
\set product :first_product + :index * :per_merchant + :number

-- The server handles concurrent calls of different merchants in one transaction. The twin uses one for each
-- call; the server's statements:
--> begin;
--> select merchant_id from detail_usage where merchant_id = any (?)
--> order by merchant_id for no key update skip locked;
--> with moment as materialized (
--> select k.n, k.merchant_id, k.store, k.product_id, t.now, a.day, a.used,
-->   h.here::date as today,
-->   (greatest(a.day, h.here::date) + 1)::timestamp at time zone k.zone as day_ends,
-->   k.only_published,
-->   (case when h.here - k.grace + k.grace < h.here
-->   then date_trunc('day', h.here - k.grace) + interval '1 day -1 microsecond'
-->   else h.here - k.grace end) at time zone k.zone as grace_edge, (case when h.here - k.publish_window + k.publish_window < h.here
-->   then date_trunc('day', h.here - k.publish_window) + interval '1 day -1 microsecond'
-->   else h.here - k.publish_window end) at time zone k.zone as publish_edge, (case when h.here - k.store_window + k.store_window < h.here
-->   then date_trunc('day', h.here - k.store_window) + interval '1 day -1 microsecond'
-->   else h.here - k.store_window end) at time zone k.zone as store_edge
--> from unnest(?::int[], ?::text[], ?::int[], ?::text[],
-->     ?::text[]::interval[], ?::text[]::interval[],
-->     ?::text[]::interval[], ?::text[]::boolean[])
-->   with ordinality
-->   k (merchant_id, store, product_id, zone, grace, publish_window, store_window,
-->     only_published, n)
--> cross join lateral (
-->   select day, used from detail_usage where merchant_id = k.merchant_id limit 1
--> ) a
--> cross join (
-->   select coalesce(nullif(?::timestamptz, '-infinity'), clock_timestamp()) as now
--> ) t
--> cross join lateral (select t.now at time zone k.zone as here) h
--> ), facts as (
-->   select m.*, p.fetched, p.results,
-->     coalesce((select products from store_usage u
-->       where u.merchant_id = m.merchant_id and u.bound_store = m.store), 0)
-->     - (select count(*) from store_product s
-->         where s.merchant_id = m.merchant_id and s.bound_store = m.store
-->           and s.last_at <= m.store_edge) as store_products,
-->     exists (select 1 from store_product s
-->       where s.merchant_id = m.merchant_id and s.bound_store = m.store
-->         and s.product_id = m.product_id and s.last_at > m.store_edge) as counted
-->   from moment m
-->   cross join lateral (
-->     select count(*) as fetched,
-->       count(*) filter (where published or (reported and not m.only_published)) as results
-->     from detail_fetch f
-->     where f.merchant_id = m.merchant_id and f.first_at <= m.grace_edge
-->       and f.last_at > m.publish_edge
-->   ) p
--> )
--> select facts.*, d.*
--> from facts
--> left join lateral (
-->   select d.category_id_tree, d.category_name_tree, d.description, d.imgs, d.price, p.art_no, p.pic,
--> d.attribute_names, d.attribute_values, d.image_colors, d.image_urls, m.store_url,
--> m.store_name, d.title, d.video, s.colors, s.sizes, s.quantities
-->  from product p
--> join product_detail d using (merchant_id, product_id)
--> join merchant_data m using (merchant_id)
--> cross join lateral (
-->   select array_agg(c.color order by c.color_no) as colors,
-->          array_agg(e.sizes order by c.color_no) as sizes,
-->          array_agg(e.quantities order by c.color_no) as quantities
-->   from stock_color c
-->   cross join lateral (
-->     select string_agg(size_text, ',' order by size) as sizes,
-->            string_agg(quantity::text, ',' order by size) as quantities
-->     from stock_entry e
-->     where e.merchant_id = c.merchant_id and e.product_id = c.product_id
-->       and e.color_no = c.color_no
-->   ) e
-->   where c.merchant_id = p.merchant_id and c.product_id = p.product_id
-->     and e.sizes is not null
--> ) s
-->   where p.merchant_id = facts.merchant_id and p.product_id = facts.product_id
-->   limit 1
--> ) d on true;
--> with k as materialized (
-->   select * from unnest(?::int[], ?::text[], ?::int[],
-->     ?::text[]::date[], ?::int[], ?::int[],
-->     ?::text[]::timestamptz[], ?::text[]::timestamptz[],
-->     ?::text[]::timestamptz[])
-->     k (merchant_id, store, product_id, day, used, store_products, now, store_edge,
-->       publish_edge)
--> ), day as (
-->   insert into detail_usage (merchant_id, day, used)
-->   select merchant_id, day, used from k
-->   on conflict (merchant_id) do update set day = excluded.day, used = excluded.used
--> ), gone as (
-->   delete from store_product s using k
-->   where s.merchant_id = k.merchant_id and s.bound_store = k.store
-->     and s.last_at <= k.store_edge and s.product_id <> k.product_id
--> ), account as (
-->   insert into store_usage (merchant_id, bound_store, products)
-->   select merchant_id, store, store_products from k
-->   on conflict (merchant_id, bound_store) do update set products = excluded.products
--> ), store as (
-->   insert into store_product (merchant_id, bound_store, product_id, last_at)
-->   select merchant_id, store, product_id, now from k
-->   on conflict (merchant_id, bound_store, product_id) do update
-->   set last_at = excluded.last_at
--> )
--> insert into detail_fetch as f
-->   (merchant_id, product_id, first_at, last_at, reported, published)
--> select k.merchant_id, k.product_id, k.now, k.now, r.result is not null,
-->   coalesce(r.result = 'published', false)
--> from k
--> left join lateral (
-->   select r.result from publish_result r
-->   where r.merchant_id = k.merchant_id and r.product_id = k.product_id
-->   order by r.result = 'published' desc limit 1
--> ) r on true
--> on conflict (merchant_id, product_id) do update
--> set first_at = case
-->       when f.last_at <= (
-->         select publish_edge from k where k.merchant_id = excluded.merchant_id)
-->       then excluded.first_at else f.first_at end,
-->     last_at = excluded.last_at;
--> commit;

begin;
select 1 from detail_usage where merchant_id = :merchant for no key update;
with moment as materialized (
select t.now, a.day, a.used, h.here::date as today,
  (greatest(a.day, h.here::date) + 1)::timestamp at time zone t.zone as day_ends,
  (case when h.here - t.grace + t.grace < h.here
    then date_trunc('day', h.here - t.grace) + interval '1 day -1 microsecond'
    else h.here - t.grace end) at time zone t.zone as grace_edge,
  (case when h.here - t.publish + t.publish < h.here
    then date_trunc('day', h.here - t.publish) + interval '1 day -1 microsecond'
    else h.here - t.publish end) at time zone t.zone as publish_edge,
  (case when h.here - t.store + t.store < h.here
    then date_trunc('day', h.here - t.store) + interval '1 day -1 microsecond'
    else h.here - t.store end) at time zone t.zone as store_edge
from detail_usage a
cross join (
  select coalesce(nullif(:fixed_time::timestamptz, '-infinity'), clock_timestamp()) as now,
    :zone::text as zone, :grace::interval as grace, :publish::interval as publish,
    :store::interval as store
) t
cross join lateral (select t.now at time zone t.zone as here) h
where a.merchant_id = :merchant
), facts as (
  select m.*, p.fetched, p.results,
    coalesce((select products from store_usage
      where merchant_id = :merchant and bound_store = :bound_store), 0)
    - (select count(*) from store_product
        where merchant_id = :merchant and bound_store = :bound_store
          and last_at <= m.store_edge) as store_products,
    exists (select 1 from store_product
      where merchant_id = :merchant and bound_store = :bound_store
        and product_id = :product and last_at > m.store_edge) as counted
  from moment m
  cross join lateral (
    select count(*) as fetched, count(*) filter (where published or reported) as results
    from detail_fetch
    where merchant_id = :merchant and first_at <= m.grace_edge
      and last_at > m.publish_edge
  ) p
)
select facts.*, d.category_id_tree, d.category_name_tree, d.description, d.imgs, d.price,
       p.art_no, p.pic, d.attribute_names, d.attribute_values,
       d.image_colors, d.image_urls, m.store_url, m.store_name, d.title,
       d.video, s.colors, s.sizes, s.quantities
from facts
left join (
  product p
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
) on p.merchant_id = :merchant and p.product_id = :product \gset
\set used_now :used + 1
with day as (
  update detail_usage set day = :today, used = :used_now where merchant_id = :merchant
), gone as (
  delete from store_product
  where merchant_id = :merchant and bound_store = :bound_store and last_at <= :store_edge and product_id <> :product
), account as (
  insert into store_usage (merchant_id, bound_store, products) values (:merchant, :bound_store, :used_now)
  on conflict (merchant_id, bound_store) do update set products = excluded.products
), store as (
  insert into store_product (merchant_id, bound_store, product_id, last_at)
  values (:merchant, :bound_store, :product, :now)
  on conflict (merchant_id, bound_store, product_id) do update
  set last_at = excluded.last_at
)
insert into detail_fetch as f (merchant_id, product_id, first_at, last_at, reported, published)
select :merchant, :product, :now, :now, r.result is not null, coalesce(r.result = 'published', false)
from (values (1)) k
left join lateral (
  select result from publish_result
  where merchant_id = :merchant and product_id = :product
  order by result = 'published' desc limit 1
) r on true
on conflict (merchant_id, product_id) do update
set first_at = case when f.last_at <= :publish_edge then excluded.first_at else f.first_at end,
    last_at = excluded.last_at;
commit;
