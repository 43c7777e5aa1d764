package io.stockroom.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.access.Authenticator;
import io.stockroom.core.access.CellPasswords;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.database.CellOpener;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.RowPrivileges;
import io.stockroom.core.moves.MoveRunner;
import io.stockroom.core.moves.RemovalRunner;
import io.stockroom.core.settings.Settings;
import java.sql.SQLException;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Wires the directory, the cells, and the moves between them; a part of {@link
 * ServerConfiguration}.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
  /**
   * Together with the one second after which an unresponsive database is detected, this stays below
   * two seconds.
   */
  private static final Duration MAX_WAIT = Duration.ofMillis(500);

  /** The directory and the cells; closing it closes every database. */
  @Bean
  Cells cells(DatabaseRoles roles, SecretBox box, Settings settings, MeterRegistry meters)
      throws SQLException {
    int poolSize = settings.get(Settings.DATABASE_POOL_SIZE);
    Database directory = new Database(roles.server(), poolSize, MAX_WAIT, meters);
    Migrations.directory(directory, roles);
    RowPrivileges.warnOfTooMany(directory);
    directory.watch();
    Cells cells =
        Cells.open(
            directory,
            new CellOpener(
                directory,
                roles,
                (password, cell) -> CellPasswords.open(box, password, cell),
                poolSize,
                MAX_WAIT,
                meters));
    cells.watch();
    return cells;
  }

  @Bean
  MoveRunner moveRunner(Cells cells) {
    return new MoveRunner(cells).start();
  }

  @Bean
  RemovalRunner removalRunner(Cells cells) {
    return new RemovalRunner(cells).start();
  }

  @Bean(destroyMethod = "")
  Database directory(Cells cells) {
    return cells.directory();
  }

  @Bean
  CellPasswords cellPasswords(Credentials credentials) {
    return new CellPasswords(credentials);
  }

  @Bean
  DatabaseHealth databaseHealthIndicator(Cells cells, Authenticator authenticator) {
    return new DatabaseHealth(cells, authenticator::isOutageBridged);
  }
}
