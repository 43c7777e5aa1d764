package io.stockroom.core.audit;

/**
 * Who made a change, for people to read.
 *
 * @param kind {@code person}, {@code application}, {@code operator}, {@code anonymous} or {@code
 *     server}
 * @param name the email address or the appid; else the name as in the audit log
 */
public record ActorName(String kind, String name) {
  /** Reads the name of an {@link Actor}. */
  public static ActorName of(String actor) {
    int space = actor.indexOf(' ');
    String kind = space < 0 ? actor : actor.substring(0, space);
    return switch (kind) {
      case "person", "application" -> new ActorName(kind, actor.substring(space + 1));
      case "operator", "anonymous" -> new ActorName(kind, actor);
      default -> new ActorName("server", actor);
    };
  }
}
