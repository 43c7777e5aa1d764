-- Kept counts on two levels: of each 256 numbers (level 0), and of each 64 such blocks (level 1). A
-- filtered page adds up the coarse ones and then the fine ones of a single coarse one, so that a
-- merchant with ten times the products costs hardly more.
alter table product_block add column level smallint not null default 0;
alter table product_block drop constraint product_block_pkey;
alter table product_block add primary key (merchant_id, level, block);
insert into product_block (merchant_id, level, block, products, with_stock)
select merchant_id, 1, block / 64, sum(products), sum(with_stock)
from product_block where level = 0 group by merchant_id, block / 64;
alter table product_block alter column level drop default;
