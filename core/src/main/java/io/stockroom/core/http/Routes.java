package io.stockroom.core.http;

import io.stockroom.core.admission.ConcurrencyLimit;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Interceptor;
import io.stockroom.core.call.UploadEndpoint;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Spelling;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of addresses. Case does not matter: clients of this interface vary it. */
public final class Routes {
  private static final int MAX_EDITS = 3;

  /**
   * One address of the interface.
   *
   * @param scope the required scope; null if any token will do
   * @param limit the limit of its kind
   */
  record Route<Q>(
      String path,
      @Nullable Scope scope,
      Endpoint<Q> endpoint,
      ConcurrencyLimit limit,
      Interceptor interceptor) {
    /** Checks the form of the request, then answers it. */
    Answer answer(Call call, RequestContent content, Body body)
        throws SQLException, InvalidRequest {
      Q request = endpoint.read(call, content);
      Answer other = interceptor.answer(path, call, content);
      if (other != null) {
        return other;
      }
      if (!(endpoint instanceof UploadEndpoint<Q> upload)) {
        return endpoint.answer(call, request);
      }
      try {
        return upload.answer(call, request, body.stream());
      } catch (IOException failure) {
        throw UploadBody.problem(failure);
      }
    }

    /** Whether its body is read as it arrives. */
    boolean isUpload() {
      return endpoint instanceof UploadEndpoint<Q>;
    }
  }

  private final ConcurrencyLimits limits;
  private final Map<String, Route<?>> byPath = new HashMap<>();
  private final Map<String, Route<?>> byLowerCasePath = new HashMap<>();
  private final Interceptor interceptor;

  /** Makes an empty table. */
  public Routes(ConcurrencyLimits limits, Interceptor interceptor) {
    this.limits = limits;
    this.interceptor = interceptor;
  }

  /**
   * Adds an address, before the server starts.
   *
   * @param scope what a token must carry for it; null where any token will do
   */
  public Routes add(String path, @Nullable Scope scope, Endpoint<?> endpoint) {
    Route<?> route = new Route<>(path, scope, endpoint, limits.of(endpoint.kind()), interceptor);
    byPath.put(path, route);
    byLowerCasePath.put(lower(path), route);
    return this;
  }

  /** Every method and address, such as {@code POST /Stock/List}. */
  public List<String> addresses() {
    return byPath.keySet().stream().map(path -> "POST " + path).toList();
  }

  /** Every path. */
  public List<String> paths() {
    return List.copyOf(byPath.keySet());
  }

  /** The limit of calls to this path; null if there is no such address. */
  public @Nullable ConcurrencyLimit limitOf(String path) {
    Route<?> route = find(path);
    return route == null ? null : route.limit;
  }

  /** The address as this table spells it, for one that it has. */
  public String spelled(String path) {
    Route<?> route = find(path);
    return route == null ? path : route.path;
  }

  /** The address that a wrong one probably means. */
  Optional<String> nearest(String path) {
    return Spelling.nearest(path, byPath.keySet(), MAX_EDITS)
        .filter(near -> !isCommand(near))
        // in a short address three edits are half of it, and mean another word
        .filter(near -> Spelling.distance(lower(path), lower(near)) <= near.length() / 3);
  }

  private boolean isCommand(String path) {
    Route<?> route = byPath.get(path);
    return route != null && route.endpoint.isCommand();
  }

  private static String lower(String path) {
    return path.toLowerCase(Locale.ROOT);
  }

  @Nullable Route<?> find(String path) {
    Route<?> route = byPath.get(path);
    return route != null ? route : byLowerCasePath.get(lower(path));
  }
}
