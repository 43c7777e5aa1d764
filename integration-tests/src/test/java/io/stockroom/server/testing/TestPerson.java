package io.stockroom.server.testing;

import io.stockroom.console.people.Sessions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Somebody who uses the console and whom no other test knows. */
public final class TestPerson {
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
    this.link = made.get("link").asString();
    this.session = begin();
  }

  /** A person of a merchant with both of the roles that such a person can have. */
  public static TestPerson of(TestMerchant merchant) {
    return new TestPerson(merchant.server(), "\"merchantId\":" + merchant.id());
  }

  public static TestPerson operator() {
    return operator(TestServer.shared());
  }

  public static TestPerson operator(TestServer server) {
    return new TestPerson(server, "\"operator\":true");
  }

  /** A person with these fields of the admin API beside the address. */
  public static TestPerson with(String fields) {
    return with(TestServer.shared(), fields);
  }

  public static TestPerson with(TestServer server, String fields) {
    return new TestPerson(server, fields);
  }

  /** Signs the person in again where every session has ended, as when a password is chosen. */
  public TestPerson again() {
    session = begin();
    return this;
  }

  public String email() {
    return email;
  }

  /** The number of the person, as the pages of operators have it. */
  public int id() {
    try {
      return server
          .database()
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

  /** The path of the link by which this person may choose a password. */
  public String link() {
    return link;
  }

  public TestServer server() {
    return server;
  }

  /** The id of a session that began without a password, as the cookie carries it. */
  public String session() {
    return session;
  }

  public String formToken() {
    return Sessions.formToken(session);
  }

  /** Moves the session's beginning and last use into the past. */
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

  /** Moves the making of the person's links into the past. */
  public void ageLink(String age) {
    update(
        """
        update person_link set expires_at = expires_at - ?::interval
        where person_id = (select person_id from person where email = ?)
        """,
        age,
        email);
  }

  /** So that a test need not wait half a minute for the next code. */
  void forgetUsedCodes() {
    update("update person set totp_last_step = 0 where email = ?", email);
  }

  /** Moves the end of sign-ins that wait for a code. */
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
          .database()
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
