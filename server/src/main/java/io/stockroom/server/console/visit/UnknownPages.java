package io.stockroom.server.console.visit;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/** Every address that no page has; it is here so that even this answer knows who is asking. */
@Controller
@Allow
public final class UnknownPages {
  @RequestMapping("/**")
  String missing() {
    throw Refusal.missing();
  }
}
