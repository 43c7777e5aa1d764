-- One product with stock, of one of the merchants.
\set index random(0, :merchants - 1)
\set number random(0, :per_merchant / 5 - 1) * 5 + random(0, 3)
\set merchant :first_merchant + :index
\set product :first_product + :index * :per_merchant + :number

select e.guid, e.barcode, c.colour, e.size, e.quantity
from product p
left join stock_entry e
  on e.merchant_id = p.merchant_id and e.product_id = p.product_id
left join stock_colour c
  on c.merchant_id = e.merchant_id and c.product_id = e.product_id
    and c.colour_no = e.colour_no
where p.merchant_id = :merchant and p.product_id = :product
order by e.colour_no, e.size;
