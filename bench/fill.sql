-- One merchant with :products products of 4 colours × 5 sizes, put in as the import and the create
-- would leave them, counts included. Every fifth product has no stock.
insert into product (merchant_id, product_id, number, has_stock, art_no, pic)
select :merchant, nextval('product_id'), n, n % 5 <> 4, 'B' || n, 'https://img.example/' || n || '.jpg'
from generate_series(0, :products - 1) n;

insert into product_detail
select merchant_id, product_id, 'Product ' || number, '<p>' || repeat('Soft and light. ', 20) || '</p>',
  array[pic, pic], 59.00, '1,2,3', 'Shoes,Men,Sneakers', array['Material', 'Season'],
  array['Leather', 'Spring'], '', '{}', '{}'
from product where merchant_id = :merchant;

insert into product_block
select merchant_id, number / 256, count(*), count(*) filter (where has_stock)
from product where merchant_id = :merchant group by 1, 2;
update merchant set products = :products where merchant_id = :merchant;

insert into stock_colour
select merchant_id, product_id, c, (array['black', 'white', 'red', 'blue'])[c + 1]
from product, generate_series(0, 3) c where merchant_id = :merchant and has_stock;

insert into stock_entry
select merchant_id, product_id, colour_no, size, (product_id * 7 + size) % 200, gen_random_uuid(), null
from stock_colour, generate_series(36, 40) size where merchant_id = :merchant;
