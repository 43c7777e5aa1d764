package io.stockroom.console.visit;

import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Switches language and theme, and remembers them in cookies. */
@Controller
@Anyone
public final class Preferences {
  private final Cookies cookies;

  public Preferences(Cookies cookies) {
    this.cookies = cookies;
  }

  @PostMapping("/preferences")
  String set(
      @RequestParam(required = false) @Nullable String language,
      @RequestParam(required = false) @Nullable String theme,
      @RequestParam(defaultValue = "") String next,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (Arrays.stream(Language.values()).anyMatch(known -> known.tag().equals(language))) {
      cookies.prefer(request, response, Cookies.LANGUAGE, String.valueOf(language));
    }
    if (theme != null) {
      cookies.prefer(request, response, Cookies.THEME, Theme.of(theme).word());
    }
    return "redirect:" + ReturnPath.of(next, "/console");
  }
}
