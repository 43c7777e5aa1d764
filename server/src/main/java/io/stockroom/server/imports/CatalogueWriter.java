package io.stockroom.server.imports;

import io.stockroom.server.catalogue.Products;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Puts products into a merchant's catalogue. It holds the merchant, so that numbers and ids grow
 * together and the kept counts stay exact.
 */
final class CatalogueWriter {
  private record Present(int productId, Product product) {}

  private final Connection connection;
  private final int merchantId;
  private final TreeMap<Integer, Integer> addedPerBlock = new TreeMap<>();
  private int products;
  private int created;
  private int changed;
  private int unchanged;

  CatalogueWriter(Connection connection, int merchantId) {
    this.connection = connection;
    this.merchantId = merchantId;
  }

  int created() {
    return created;
  }

  int changed() {
    return changed;
  }

  int unchanged() {
    return unchanged;
  }

  /** Gives false where there is no such merchant. */
  boolean hold() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select products from merchant where merchant_id = ? for no key update")) {
      statement.setInt(1, merchantId);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        products = row.getInt(1);
        return true;
      }
    }
  }

  void put(List<Product> batch) throws SQLException {
    Map<String, Present> present = present(batch);
    List<Product> fresh = new ArrayList<>();
    List<Present> differing = new ArrayList<>();
    for (Product product : batch) {
      Present old = present.get(product.artNo());
      if (old == null) {
        fresh.add(product);
      } else if (old.product.equals(product)) {
        unchanged++;
      } else {
        differing.add(new Present(old.productId, product));
      }
    }
    insert(fresh);
    update(differing);
  }

  /** Writes the kept counts; called once, at the end. */
  void finish() throws SQLException {
    try (PreparedStatement total =
            connection.prepareStatement("update merchant set products = ? where merchant_id = ?");
        PreparedStatement block =
            connection.prepareStatement(
                """
                insert into product_block as b (merchant_id, block, products, with_stock)
                values (?, ?, ?, 0)
                on conflict (merchant_id, block) do update
                set products = b.products + excluded.products
                """)) {
      for (Map.Entry<Integer, Integer> added : addedPerBlock.entrySet()) {
        block.setInt(1, merchantId);
        block.setInt(2, added.getKey());
        block.setInt(3, added.getValue());
        block.addBatch();
      }
      block.executeBatch();
      total.setInt(1, products);
      total.setInt(2, merchantId);
      total.executeUpdate();
    }
  }

  private Map<String, Present> present(List<Product> batch) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select p.product_id, p.art_no, d.title, d.description, d.imgs, d.price,
                   d.category_id_tree, d.category_name_tree, d.attribute_names,
                   d.attribute_values, d.video, d.image_colours, d.image_urls
            from product p join product_detail d using (merchant_id, product_id)
            where p.merchant_id = ? and p.art_no = any (?)
            """)) {
      statement.setInt(1, merchantId);
      statement.setObject(2, batch.stream().map(Product::artNo).toArray(String[]::new));
      Map<String, Present> present = new HashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          present.put(row.getString("art_no"), new Present(row.getInt("product_id"), read(row)));
        }
      }
      return present;
    }
  }

  private static Product read(ResultSet row) throws SQLException {
    return new Product(
        row.getString("art_no"),
        row.getString("title"),
        row.getString("description"),
        texts(row, "imgs"),
        row.getBigDecimal("price"),
        row.getString("category_id_tree"),
        row.getString("category_name_tree"),
        texts(row, "attribute_names"),
        texts(row, "attribute_values"),
        row.getString("video"),
        texts(row, "image_colours"),
        texts(row, "image_urls"));
  }

  private void insert(List<Product> fresh) throws SQLException {
    if (fresh.isEmpty()) {
      return;
    }
    int[] ids = newIds(fresh.size());
    try (PreparedStatement product =
            connection.prepareStatement(
                """
                insert into product (merchant_id, product_id, number, art_no, pic)
                values (?, ?, ?, ?, ?)
                """);
        PreparedStatement detail =
            connection.prepareStatement(
                """
                insert into product_detail
                  (merchant_id, product_id, title, description, imgs, price, category_id_tree,
                   category_name_tree, attribute_names, attribute_values, video, image_colours,
                   image_urls)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)) {
      for (int i = 0; i < ids.length; i++) {
        product.setInt(1, merchantId);
        product.setInt(2, ids[i]);
        product.setInt(3, products);
        product.setString(4, fresh.get(i).artNo());
        product.setString(5, fresh.get(i).pic());
        product.addBatch();
        detail.setInt(1, merchantId);
        detail.setInt(2, ids[i]);
        setDetail(detail, 3, fresh.get(i));
        detail.addBatch();
        addedPerBlock.merge(products / Products.BLOCK, 1, Integer::sum);
        products++;
      }
      product.executeBatch();
      detail.executeBatch();
    }
    created += fresh.size();
  }

  private void update(List<Present> differing) throws SQLException {
    if (differing.isEmpty()) {
      return;
    }
    try (PreparedStatement product =
            connection.prepareStatement(
                "update product set pic = ? where merchant_id = ? and product_id = ? and pic <> ?");
        PreparedStatement detail =
            connection.prepareStatement(
                """
                update product_detail
                set title = ?, description = ?, imgs = ?, price = ?, category_id_tree = ?,
                    category_name_tree = ?, attribute_names = ?, attribute_values = ?, video = ?,
                    image_colours = ?, image_urls = ?
                where merchant_id = ? and product_id = ?
                """)) {
      for (Present present : differing) {
        product.setString(1, present.product.pic());
        product.setInt(2, merchantId);
        product.setInt(3, present.productId);
        product.setString(4, present.product.pic());
        product.addBatch();
        setDetail(detail, 1, present.product);
        detail.setInt(12, merchantId);
        detail.setInt(13, present.productId);
        detail.addBatch();
      }
      product.executeBatch();
      detail.executeBatch();
    }
    changed += differing.size();
  }

  private static void setDetail(PreparedStatement statement, int first, Product product)
      throws SQLException {
    statement.setString(first, product.title());
    statement.setString(first + 1, product.description());
    statement.setObject(first + 2, product.imgs().toArray(String[]::new));
    statement.setBigDecimal(first + 3, product.price());
    statement.setString(first + 4, product.categoryIdTree());
    statement.setString(first + 5, product.categoryNameTree());
    statement.setObject(first + 6, product.attributeNames().toArray(String[]::new));
    statement.setObject(first + 7, product.attributeValues().toArray(String[]::new));
    statement.setString(first + 8, product.video());
    statement.setObject(first + 9, product.imageColours().toArray(String[]::new));
    statement.setObject(first + 10, product.imageUrls().toArray(String[]::new));
  }

  /** Ascending, so that within a merchant the order of ids is the order of numbers. */
  private int[] newIds(int count) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select nextval('product_id')::int from generate_series(1, ?)")) {
      statement.setInt(1, count);
      int[] ids = new int[count];
      try (ResultSet rows = statement.executeQuery()) {
        for (int i = 0; rows.next(); i++) {
          ids[i] = rows.getInt(1);
        }
      }
      Arrays.sort(ids);
      return ids;
    }
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    return List.of((String[]) row.getArray(column).getArray());
  }
}
