-- Copies Stockroom's rows into the tables of the peer. Keys and indexes follow, because that is quicker.
set search_path = peer, public;

insert into peer.merchant select merchant_id, store_url, store_name from merchant_data;
insert into peer.access_token
select token_id, encode(hash, 'hex'), application_id, merchant_id, bound_store, expires_at, revoked_at
from public.access_token join peer.application on id = application_id;
insert into create_limit select a.application_id, t.merchant_id, 'epoch'
  from public.application a join public.access_token t using (application_id)
  on conflict do nothing;
insert into peer.detail_usage select merchant_id, 'epoch', 0 from public.detail_usage;

insert into peer.product
select product_id, merchant_id, art_no, pic, has_stock, title, description, price, category_id_tree,
  category_name_tree, video
from public.product join product_detail using (merchant_id, product_id);

insert into product_image
select product_id, i - 1, url from product_detail, unnest(imgs) with ordinality u (url, i);

insert into product_attribute
select product_id, i - 1, name, value
from product_detail, unnest(attribute_names, attribute_values) with ordinality u (name, value, i);

insert into product_color
select row_number() over (order by c.merchant_id, c.product_id, c.color_no), c.product_id, c.color_no,
  c.color, coalesce(d.image_urls[array_position(d.image_colors, c.color)], '')
from stock_color c join product_detail d using (merchant_id, product_id);

insert into peer.stock_entry
select e.guid, e.merchant_id, e.product_id, c.id, e.size, e.quantity, e.barcode
from public.stock_entry e
join product_color c on c.product_id = e.product_id and c.position = e.color_no
order by e.merchant_id, e.product_id, e.color_no, e.size;

select setval('product_color_seq', (select coalesce(max(id), 1) + 50 from product_color));

create unique index on peer.product (merchant_id, art_no);
create index on peer.product (merchant_id, id);
create index on peer.product (merchant_id, has_stock, id);
alter table product_image add primary key (product_id, position),
  add foreign key (product_id) references peer.product;
alter table product_attribute add primary key (product_id, position),
  add foreign key (product_id) references peer.product;
alter table product_color add unique (product_id, name),
  add foreign key (product_id) references peer.product;
alter table peer.stock_entry add unique (color_id, size),
  add foreign key (product_id) references peer.product,
  add foreign key (color_id) references product_color on delete cascade;
create index on peer.stock_entry (product_id);
create index on peer.stock_entry (merchant_id, barcode) where barcode is not null;
