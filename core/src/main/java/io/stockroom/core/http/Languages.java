package io.stockroom.core.http;

import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chooses the language of an answer; caches the choice by header. */
public final class Languages {
  private static final int MAX_REMEMBERED = 500;

  private final Language fallback;
  private final Map<String, Language> remembered = new ConcurrentHashMap<>();

  public Languages(Language fallback) {
    this.fallback = fallback;
  }

  public Language of(HttpServletRequest request) {
    return of(request.getHeader("Accept-Language"));
  }

  /** Chooses by the header {@code Accept-Language}. */
  Language of(@Nullable String header) {
    if (header == null || header.isEmpty()) {
      return fallback;
    }
    Language known = remembered.get(header);
    if (known != null) {
      return known;
    }
    Language chosen = Language.choose(header, fallback);
    if (remembered.size() < MAX_REMEMBERED) {
      remembered.put(header, chosen);
    }
    return chosen;
  }
}
