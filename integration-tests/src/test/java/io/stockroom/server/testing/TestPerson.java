package io.stockroom.server.testing;

import io.stockroom.console.people.Sessions;
import java.net.URI;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** A user of the console that no other test uses. */
public final class TestPerson {
  /** The password of {@link #withPassword}. */
  public static final String PASSWORD = "three words in a row";

  /** Its hash with the lowest cost: a hash with the cost of production takes a quarter second. */
  public static final String CHEAP_HASH =
      "$argon2id$v=19$m=8,t=1,p=1$YSB0ZXN0J3Mgc2FsdCAxNg$fc3gZKb08i6xu34jqpsyWCbH0HISTZNnEw6lH5X4O4M";

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final TestServer server;
  private final String email;
  private final String link;
  private String session;

  private TestPerson(TestServer server, String fields) {
    this.server = server;
    this.email = "person%d@example.com".formatted(NUMBERS.incrementAndGet());
    Reply reply =
        Admin.of(server).post("/admin/people", "{\"email\":\"%s\",%s}".formatted(email, fields));
    if (reply.status() != 201) {
      throw new IllegalStateException(reply.whole());
    }
    JsonNode made = reply.json();
    this.link = URI.create(made.get("link").asString()).getPath();
    this.session = begin();
  }

  /** A person of a merchant with both roles. */
  public static TestPerson of(TestMerchant merchant) {
    return new TestPerson(merchant.server(), "\"merchantId\":" + merchant.id());
  }

  public static TestPerson operator() {
    return operator(TestServer.shared());
  }

  public static TestPerson operator(TestServer server) {
    return new TestPerson(server, "\"operator\":true");
  }

  /** A person with these fields of the admin API in addition to the address. */
  public static TestPerson with(String fields) {
    return with(TestServer.shared(), fields);
  }

  public static TestPerson with(TestServer server, String fields) {
    return new TestPerson(server, fields);
  }

  /** Gives the person a password without the link. */
  public TestPerson withPassword() {
    update("update person set password = ? where email = ?", CHEAP_HASH, email);
    return this;
  }

  /** Hides the checklist on the overview, whose steps may tick themselves while a test looks. */
  public TestPerson withoutFirstSteps() {
    update("update person set first_steps_hidden_at = now() where email = ?", email);
    return this;
  }

  /** Signs the person in again after every session has ended, for example by a new password. */
  public TestPerson again() {
    session = begin();
    return this;
  }

  public String email() {
    return email;
  }

  /** The person's id in operator pages. */
  public int id() {
    try {
      return server
          .directory()
          .read(
              connection -> {
                try (PreparedStatement statement =
                    connection.prepareStatement("select person_id from person where email = ?")) {
                  statement.setString(1, email);
                  try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getInt(1);
                  }
                }
              });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The path of this person's link for choosing a password. */
  public String link() {
    return link;
  }

  public TestServer server() {
    return server;
  }

  /** The id of a new session without a password, for the cookie. */
  public String session() {
    return session;
  }

  public String formToken() {
    return Sessions.formToken(session);
  }

  /** Moves the session's start and last use into the past. */
  public void age(String idle, String old) {
    update(
        """
        update session set last_used_at = now() - ?::interval, created_at = now() - ?::interval
        where person_id = (select person_id from person where email = ?)
        """,
        idle,
        old,
        email);
  }

  /** Moves the creation of the person's links into the past. */
  public void ageLink(String age) {
    update(
        """
        update person_link set expires_at = expires_at - ?::interval
        where person_id = (select person_id from person where email = ?)
        """,
        age,
        email);
  }

  /** Lets a test use a code again instead of waiting half a minute for the next one. */
  void forgetUsedCodes() {
    update("update person set totp_last_step = 0 where email = ?", email);
  }

  /** Moves the expiry of half-done sign-ins. */
  public void ageTickets(String age) {
    update(
        """
        update sign_in_ticket set expires_at = expires_at - ?::interval
        where person_id = (select person_id from person where email = ?)
        """,
        age,
        email);
  }

  private String begin() {
    String id =
        "session-of-a-test-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    update(
        """
        insert into session (hash, person_id, address, browser)
        select sha256(convert_to(?, 'UTF8')), person_id, '127.0.0.1', 'a test' from person
        where email = ?
        """,
        id,
        email);
    return id;
  }

  private void update(String sql, String... values) {
    try {
      server
          .directory()
          .write(
              connection -> {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                  for (int i = 0; i < values.length; i++) {
                    statement.setString(i + 1, values[i]);
                  }
                  return statement.executeUpdate();
                }
              });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
