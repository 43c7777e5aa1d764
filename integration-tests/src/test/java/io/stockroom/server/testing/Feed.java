package io.stockroom.server.testing;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A client that follows a merchant's changes. */
public final class Feed {
  private final Api api;
  private final List<JsonNode> seen = new ArrayList<>();
  private String cursor;

  /** Begins at the oldest change that is kept. */
  public Feed(Api api) {
    this(api, "");
  }

  public Feed(Api api, String cursor) {
    this.api = api;
    this.cursor = cursor;
  }

  /** The same place, through another server. */
  public Feed on(TestServer server) {
    return new Feed(api.on(server), cursor);
  }

  /** A call with this cursor and other fields such as {@code limit=5}. */
  public static Reply changes(Api api, String fields) {
    return api.call("/Changes").form(fields).send();
  }

  /** The cursor of the newest change. */
  public static String latest(Api api) {
    return changes(api, "after=latest").json().get("cursor").asString();
  }

  /** Asks once and moves on; returns the new changes. */
  public List<JsonNode> next(String fields) {
    Reply reply = changes(api, "after=" + cursor + "&" + fields);
    if (reply.status() != 200 || !reply.success()) {
      throw new IllegalStateException(reply.whole());
    }
    cursor = reply.json().get("cursor").asString();
    List<JsonNode> changes = reply.json().get("changes").valueStream().toList();
    seen.addAll(changes);
    return changes;
  }

  public String cursor() {
    return cursor;
  }

  /** All changes so far. */
  public List<JsonNode> seen() {
    return seen;
  }

  /** The numbers of changes. */
  public static List<Long> numbers(List<JsonNode> changes) {
    return changes.stream().map(change -> change.get("number").asLong()).toList();
  }
}
