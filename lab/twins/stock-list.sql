-- The stock of one product of one of the merchants.
\set index random(0, :merchants - 1)
\set number random(0, :asked_per_merchant / 5 - 1) * 5 + random(0, 3)
\set merchant :first_merchant + :index
\set product :first_product + :index * :per_merchant + :number

-- The server batches concurrent calls into one statement. The twin sends one call per statement; the
-- server's statement:
--> select k.n, e.guid, e.barcode, e.color_no, e.size_text, e.quantity, h.hash
--> from unnest((select ?::int[]), (select ?::int[])) with ordinality k (merchant_id, product_id, n)
--> join product p on p.merchant_id = k.merchant_id and p.product_id = k.product_id
--> left join stock_entry e on e.merchant_id = p.merchant_id and e.product_id = p.product_id
--> left join log_head h on h.merchant_id = k.merchant_id
--> order by k.n, e.color_no, e.size;
--> select k.n, c.color
--> from unnest((select ?::int[]), (select ?::int[])) with ordinality k (merchant_id, product_id, n)
--> join stock_color c on c.merchant_id = k.merchant_id and c.product_id = k.product_id
--> order by k.n, c.color_no;

select e.guid, e.barcode, c.color, e.size_text, e.quantity
from product p
left join stock_entry e
  on e.merchant_id = p.merchant_id and e.product_id = p.product_id
left join stock_color c
  on c.merchant_id = e.merchant_id and c.product_id = e.product_id
    and c.color_no = e.color_no
where p.merchant_id = :merchant and p.product_id = :product
order by e.color_no, e.size;
