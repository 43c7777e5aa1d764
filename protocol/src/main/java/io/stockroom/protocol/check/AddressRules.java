package io.stockroom.protocol.check;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the path and the method of a request. */
final class AddressRules {
  static final List<Rule> ALL = List.of(AddressRules::path, AddressRules::method);

  private static final int MAX_CHANGES = 2;
  private static final List<String> PATHS =
      Arrays.stream(Endpoint.values()).map(Endpoint::path).toList();

  /** The paths that a report shows if none is close. */
  private static final String MAIN_PATHS =
      Stream.of(
              Endpoint.PRODUCT_LIST,
              Endpoint.STOCK_LIST,
              Endpoint.STOCK_CREATE,
              Endpoint.PRODUCT_DETAIL)
          .map(Endpoint::path)
          .collect(Collectors.joining("  "));

  private AddressRules() {}

  /** The endpoint that {@code path} probably means; null if none is close. */
  static @Nullable Endpoint meant(String path) {
    String tidy = tidy(path);
    Optional<Endpoint> exact = Endpoint.at(tidy);
    if (exact.isPresent()) {
      return exact.get();
    }
    for (Endpoint endpoint : Endpoint.values()) {
      if (tidy.toLowerCase(Locale.ROOT).endsWith(endpoint.path().toLowerCase(Locale.ROOT))) {
        return endpoint;
      }
    }
    return NearestWord.nearest(tidy, PATHS, MAX_CHANGES).flatMap(Endpoint::at).orElse(null);
  }

  private static void path(Check check) {
    String path = check.request().path();
    Endpoint meant = check.endpoint();
    if (meant == null) {
      check.report(Cause.PATH_UNKNOWN, "path", MAIN_PATHS, path);
      return;
    }
    if (path.equals(meant.path())) {
      return;
    }
    check.report(cause(path, meant), "path", meant.path(), path);
  }

  private static Cause cause(String path, Endpoint meant) {
    if (path.equalsIgnoreCase(meant.path())) {
      return Cause.PATH_CASE;
    }
    String tidy = tidy(path);
    if (tidy.equalsIgnoreCase(meant.path())) {
      return Cause.PATH_SLASHES;
    }
    return tidy.toLowerCase(Locale.ROOT).endsWith(meant.path().toLowerCase(Locale.ROOT))
        ? Cause.PATH_PREFIX
        : Cause.PATH_SPELLING;
  }

  private static void method(Check check) {
    if (!check.request().method().equals("POST")) {
      check.report(Cause.METHOD, "method", "POST", check.request().method());
    }
  }

  private static String tidy(String path) {
    String single = path.replaceAll("/{2,}", "/");
    return single.length() > 1 && single.endsWith("/")
        ? single.substring(0, single.length() - 1)
        : single;
  }
}
