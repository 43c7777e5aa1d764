package io.stockroom.server.testing;

/**
 * What must always hold for the data of a merchant: counters equal the actual counts, and the
 * change log has no gap and, replayed, gives the stock.
 */
public final class Consistency {
  private static final String DIFFERENCES =
      """
      with real as (
        select l.level, l.block, count(*) as products,
               count(*) filter (where exists (
                 select 1 from stock_entry e
                 where e.merchant_id = p.merchant_id and e.product_id = p.product_id
               )) as with_stock
        from product p
        cross join lateral (values (0, number / 256), (1, number / 16384)) as l (level, block)
        where merchant_id = $1 group by 1, 2
      ), kept as (
        select level, block, products, with_stock from product_block where merchant_id = $1
      )
      select 'block: ' || coalesce(real::text, '-') || ' kept ' || coalesce(kept::text, '-')
      from real full join kept using (level, block)
      where coalesce(real.products, 0) is distinct from kept.products
         or coalesce(real.with_stock, 0) is distinct from kept.with_stock
      union all
      select 'merchant: kept ' || m.products from merchant_data m
      where m.merchant_id = $1 and m.products <>
        (select count(*) from product p where p.merchant_id = $1)
      union all
      select 'merchant: archived kept ' || m.archived from merchant_data m
      where m.merchant_id = $1 and m.archived <>
        (select count(*) from archived_product p where p.merchant_id = $1)
      union all
      select format('number %s of product %s, not %s', number, product_id, place)
      from (
        select number, product_id, row_number() over (order by product_id) - 1 as place
        from (
          select number, product_id from product where merchant_id = $1
          union all
          select number, product_id from archived_product where merchant_id = $1
        ) every
      ) numbered
      where number <> place
      union all
      select format('archived: product %s is %s, the log says %s', product_id,
        case when present then 'present' else 'archived' end, last)
      from (
        select p.product_id, p.present, (
          select f from change_log c cross join unnest(c.fields) f
          where c.merchant_id = $1 and c.product_id = p.product_id
            and f in ('archived', 'restored')
          order by c.number desc limit 1
        ) as last
        from (
          select product_id, true as present from product where merchant_id = $1
          union all
          select product_id, false from archived_product where merchant_id = $1
        ) p
      ) states
      where present = (last is not distinct from 'archived')
      union all
      select format('removed entry %s %s %s waits for a product that is not archived',
        product_id, color_no, size)
      from removed_entry r
      where r.merchant_id = $1 and r.archived and not exists (
        select 1 from archived_product a
        where a.merchant_id = $1 and a.product_id = r.product_id)
      union all
      select format('entry %s %s %s has another guid than before', product_id, color_no, size)
      from removed_entry r join stock_entry e using (merchant_id, product_id, color_no, size)
      where r.merchant_id = $1 and r.guid <> e.guid
      union all
      select 'product: ' || p.product_id from product p
      where p.merchant_id = $1 and p.has_stock <> exists (
        select 1 from stock_entry e
        where e.merchant_id = $1 and e.product_id = p.product_id)
      union all
      (with changes as (
        select c.number, c.product_id, e.*
        from change_log c
        cross join unnest(c.colors, c.sizes, c.quantities_before, c.quantities_after)
          e (color_no, size, before, after)
        where c.merchant_id = $1 and c.kind = 'stock'
      ), followed as (
        select *, lag(after) over (
          partition by product_id, color_no, size order by number) as expected
        from changes
      ), last as (
        select distinct on (product_id, color_no, size) product_id, color_no, size, after
        from changes order by product_id, color_no, size, number desc
      ), entries as (
        select product_id, color_no, size, quantity from stock_entry where merchant_id = $1
      )
      select format('log: change %s of product %s, color %s, size %s begins with %s, not %s',
        number, product_id, color_no, size, before, expected)
      from followed where before is distinct from expected
      union all
      select format('log: product %s, color %s, size %s has %s, the log says %s',
        product_id, color_no, size, quantity, after)
      from entries full join last using (product_id, color_no, size)
      where quantity is distinct from after)
      union all
      select 'log: no change created product ' || p.product_id from product p
      where p.merchant_id = $1 and not exists (
        select 1 from change_log c
        where c.merchant_id = $1 and c.product_id = p.product_id and c.created)
      union all
      select format('log: %s changes, the last is %s, the head says %s', count(c.number),
        max(c.number), h.last_change)
      from log_head h left join change_log c using (merchant_id)
      where h.merchant_id = $1 group by h.last_change
      having count(c.number) <> h.last_change or coalesce(max(c.number), 0) <> h.last_change
      """;

  private Consistency() {}

  /** A query with one row for each difference. */
  public static String sql(int merchantId) {
    return DIFFERENCES.replace("$1", Integer.toString(merchantId));
  }
}
