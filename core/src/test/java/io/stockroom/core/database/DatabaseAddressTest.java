package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseAddressTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "postgresql://db | jdbc:postgresql://db | it | given | ''",
        "postgres://db:5432/east | jdbc:postgresql://db:5432/east | it | given | ''",
        "postgresql://me@db/east | jdbc:postgresql://db/east | me | given | ''",
        "postgresql://me:hush@db/east | jdbc:postgresql://db/east | me | hush | ''",
        "postgresql://me:h+u%40s@h@db/east | jdbc:postgresql://db/east | me | h+u@s@h | ''",
        "jdbc:postgresql://me:hush@[::1]:1/x | jdbc:postgresql://[::1]:1/x | me | hush | ''",
        "jdbc:postgresql://a,b:1/x?user=me&password=h%26u&ssl | jdbc:postgresql://a,b:1/x?ssl | me | h&u | ''",
        "jdbc:postgresql://db/x?PASSWORD=hush&a=b&sslpassword=key | jdbc:postgresql://db/x?a=b | it | hush | key",
        "postgresql://me:@db/x?sslmode=require | jdbc:postgresql://db/x?sslmode=require | me | '' | ''"
      })
  void takesTheLoginOutOfTheUrl(
      String url, String jdbcUrl, String user, String password, String keyPassword) {
    assertThat(DatabaseAddress.parse(url, "it", "given"))
        .isEqualTo(new DatabaseAddress(jdbcUrl, user, password, keyPassword))
        .hasToString(jdbcUrl);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mysql://me:hush@db/east",
        "jdbc:postgresql:east?password=hush",
        "postgresql:///east?password=hush",
        "postgresql://me:hush@/east",
        "postgresql://me:hu/sh@db/east",
        "postgresql://me:12/hush@db/east",
        "postgresql://me:12?hush@db/east",
        "postgresql://me:12?a=hush@db/east",
        "postgresql://me:hu#sh@db/east",
        "postgresql://me:%hush@db/east",
        "postgresql://me:hush@db:port/east",
        "postgresql://me:hush@db,/east",
        "postgresql://me:hush@db/east#x",
        "postgresql://db/east?p%61ssword=hush",
        "postgresql://db/east?password=%zhush",
        "postgresql://db/east?password=hush&password=hush",
        "postgresql://me:hush@db/east?Password=hush",
        "postgresql://db/east?passfile=hush",
        "postgresql://db/east?sslPasswordCallback=hush",
        "postgresql://db/east?client_secret=hush"
      })
  void refusesAUrlThatCannotBeTakenApart(String url) {
    assertThatThrownBy(() -> DatabaseAddress.parse(url, "", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The database URL ")
        .hasMessageNotContaining("hush");
    assertThat(DatabaseAddress.shown(url)).isEqualTo("(not shown)");
  }

  @Test
  void lendsALoginOnlyOnTheSameServer() {
    DatabaseAddress directory = new DatabaseAddress("jdbc:postgresql://a:1/x?s=1", "me", "hush");
    assertThat(DatabaseAddress.parse("postgresql://a:1/y?s=1", "", "").orLoginOf(directory))
        .isEqualTo(new DatabaseAddress("jdbc:postgresql://a:1/y?s=1", "me", "hush"));
    DatabaseAddress own = DatabaseAddress.parse("postgresql://it:own@b/y", "", "");
    assertThat(own.orLoginOf(directory)).isEqualTo(own);
    for (String other :
        new String[] {"a:2/x?s=1", "b:1/x?s=1", "a/x?s=1", "a:1,b:1/x?s=1", "a:1/x?s=1&PGHOST=b"}) {
      assertThatThrownBy(
              () -> DatabaseAddress.parse("postgresql://" + other, "", "").orLoginOf(directory))
          .as(other)
          .hasMessageContaining("names no user")
          .hasMessageNotContaining("hush");
    }
  }

  @Test
  void showsNoPassword() {
    assertThat(DatabaseAddress.shown("postgresql://me:hu@sh@db/x?sslpassword=hush&a=b"))
        .isEqualTo("postgresql://me:…@db/x?sslpassword=…&a=b");
    assertThat(DatabaseAddress.shown("postgresql://me@db:5432/x?a=b"))
        .isEqualTo("postgresql://me@db:5432/x?a=b");
    assertThat(DatabaseAddress.shown("")).isEmpty();
  }
}
