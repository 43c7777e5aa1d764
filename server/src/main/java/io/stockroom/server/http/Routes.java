package io.stockroom.server.http;

import io.stockroom.protocol.Spelling;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of addresses. Case does not matter: clients of this interface vary it. */
public final class Routes {
  private static final int MAX_EDITS = 3;

  private final Map<String, Route<?>> byPath;
  private final Map<String, Route<?>> byLowerCasePath;

  public Routes(List<Route<?>> routes) {
    byPath = routes.stream().collect(Collectors.toMap(Route::path, Function.identity()));
    byLowerCasePath =
        routes.stream()
            .collect(
                Collectors.toMap(
                    route -> route.path().toLowerCase(Locale.ROOT), Function.identity()));
  }

  /** Every method and address, such as {@code POST /Stock/List}. */
  public List<String> addresses() {
    return byPath.keySet().stream().map(path -> "POST " + path).toList();
  }

  /** The address that was probably meant by one that there is not. */
  Optional<String> nearest(String path) {
    return Spelling.nearest(path, byPath.keySet(), MAX_EDITS)
        // in a short address three edits are half of it, and mean another word
        .filter(near -> Spelling.distance(lower(path), lower(near)) <= near.length() / 3);
  }

  private static String lower(String path) {
    return path.toLowerCase(Locale.ROOT);
  }

  @Nullable Route<?> find(String path) {
    Route<?> route = byPath.get(path);
    return route != null ? route : byLowerCasePath.get(path.toLowerCase(Locale.ROOT));
  }
}
