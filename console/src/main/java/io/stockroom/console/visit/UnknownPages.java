package io.stockroom.console.visit;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/** Every address that no page has; it is here so that even this answer knows who is asking. */
@Controller
@Allow
public final class UnknownPages {
  // Spring calls it, and the exception is its answer
  @SuppressWarnings("DoNotCallSuggester")
  @RequestMapping("/**")
  String missing() {
    throw Refusal.missing();
  }
}
