package io.stockroom.core.database;

import com.zaxxer.hikari.HikariConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.postgresql.ds.PGSimpleDataSource;

/** Logs in for a pool, at an address that may change while the pool is used. */
@SuppressWarnings("serial") // it is never serialized
final class PoolSource extends PGSimpleDataSource {
  /** Compiling an expression takes longer than any statement here that it could make faster. */
  private static final String OPTIONS = "-c jit=off -c statement_timeout=10s -c lock_timeout=5s";

  private transient volatile DatabaseAddress address;

  PoolSource(DatabaseAddress address) {
    this.address = address;
  }

  DatabaseAddress address() {
    return address;
  }

  /** Logs in there from now on; false if it is the same address. */
  boolean move(DatabaseAddress newAddress) {
    boolean isOther = !newAddress.equals(address);
    address = newAddress;
    return isOther;
  }

  /** What all pools have in common. */
  HikariConfig poolConfig(String name) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(this);
    config.setValidationTimeout(500);
    return config;
  }

  @Override
  public Connection getConnection() throws SQLException {
    DatabaseAddress at = address;
    Properties properties = at.login();
    properties.setProperty("ApplicationName", "stockroom");
    properties.setProperty("connectTimeout", "2");
    // else a database that accepts connections but never answers keeps the pool from growing
    properties.setProperty("loginTimeout", "2");
    properties.setProperty("socketTimeout", "30");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("options", OPTIONS);
    return DriverManager.getConnection(at.jdbcUrl(), properties);
  }
}
