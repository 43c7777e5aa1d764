package io.stockroom.console.visit;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/** Handles every unknown path, so the "not found" page also passes the interceptors. */
@Controller
@Allow
public final class NotFoundPages {
  // called by Spring; always throws
  @SuppressWarnings("DoNotCallSuggester")
  @RequestMapping("/**")
  String missing() {
    throw PageException.missing();
  }
}
