package io.stockroom.core.database;

import com.zaxxer.hikari.HikariConfig;

/** What the connections of every pool have in common. */
final class PoolConfig {
  private PoolConfig() {}

  static HikariConfig of(String name, DatabaseAddress address) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setValidationTimeout(500);
    config.addDataSourceProperty("ApplicationName", "stockroom");
    config.addDataSourceProperty("connectTimeout", "2");
    // else a database that accepts connections but never answers keeps the pool from growing
    config.addDataSourceProperty("loginTimeout", "2");
    config.addDataSourceProperty("socketTimeout", "30");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("prepareThreshold", "1");
    config.addDataSourceProperty(
        "options",
        "-c jit=off -c plan_cache_mode=force_generic_plan -c statement_timeout=10s -c lock_timeout=5s");
    return config;
  }
}
