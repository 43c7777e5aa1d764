-- A product belongs to one merchant. Told so, the planner sees how many rows a product really has
-- and reads entries and colours side by side; else it takes them for independent, expects a single
-- row, and looks each entry's colour up by itself.
create statistics stock_entry_product (dependencies, ndistinct)
  on merchant_id, product_id, colour_no from stock_entry;
create statistics stock_colour_product (dependencies, ndistinct)
  on merchant_id, product_id from stock_colour;
