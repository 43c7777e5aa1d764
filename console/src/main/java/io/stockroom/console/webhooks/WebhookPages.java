package io.stockroom.console.webhooks;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.changes.RecentChanges;
import io.stockroom.core.webhooks.Deliveries;
import io.stockroom.core.webhooks.Webhook;
import io.stockroom.core.webhooks.WebhookResult;
import io.stockroom.core.webhooks.Webhooks;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.WebhookReader;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Creates, tests, repairs and deletes the webhooks of the person's merchant. */
@Controller
@Allow({Role.MERCHANT, Role.DEVELOPER})
public final class WebhookPages {
  private static final int UNPROCESSABLE = 422;
  private static final Set<String> DONE =
      Set.of("deleted", "enabled", "disabled", "replayed", "tested", "test-failed");

  private final Webhooks webhooks;
  private final RecentChanges changes;

  public WebhookPages(Webhooks webhooks, RecentChanges changes) {
    this.webhooks = webhooks;
    this.changes = changes;
  }

  @GetMapping("/webhooks")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String done,
      Model model)
      throws SQLException {
    model.addAttribute("done", DONE.contains(done) ? done : null);
    return list(visit, "", WebhookReader.KINDS, model);
  }

  private String list(ConsoleRequest visit, String url, List<String> kinds, Model model)
      throws SQLException {
    model.addAttribute("webhooks", webhooks.list(visit.merchantId()));
    model.addAttribute("allKinds", WebhookReader.KINDS);
    model.addAttribute("url", url);
    model.addAttribute("kinds", kinds);
    return "webhooks";
  }

  @PostMapping("/webhooks")
  String create(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String url,
      @RequestParam(name = "kind", required = false) @Nullable List<String> kinds,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    List<String> wanted = kinds == null ? List.of() : kinds;
    List<String> known = WebhookReader.KINDS.stream().filter(wanted::contains).toList();
    String problem;
    if (known.isEmpty()) {
      model.addAttribute("kindsProblem", true);
      problem = null;
    } else {
      try {
        WebhookReader.CreateWebhook request = WebhookReader.create(url.strip(), known);
        switch (webhooks.create(
            visit.merchantId(), request.url(), request.kinds(), visit.actor())) {
          case WebhookResult.Done<Webhooks.WithSecret>(var created) -> {
            return secret(created, "webhook.created", model);
          }
          case WebhookResult.Rejected<Webhooks.WithSecret>(var rejected) ->
              problem = rejected.message(visit.language());
        }
      } catch (InvalidRequest invalid) {
        problem = invalid.problems().getFirst().message(visit.language());
      }
    }
    response.setStatus(UNPROCESSABLE);
    model.addAttribute("problem", problem);
    return list(visit, url, known, model);
  }

  @GetMapping("/webhooks/{webhook}")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable String webhook,
      @RequestParam(defaultValue = "1") int page,
      @RequestParam(defaultValue = "") String done,
      Model model)
      throws SQLException {
    model.addAttribute("done", DONE.contains(done) ? done : null);
    return show(visit, webhook, Math.max(1, page), model);
  }

  private String show(ConsoleRequest visit, String id, int page, Model model) throws SQLException {
    Webhook webhook = find(visit, id);
    Deliveries deliveries = done(webhooks.deliveries(visit.merchantId(), id, page));
    model.addAttribute("webhook", webhook);
    model.addAttribute("deliveries", deliveries);
    return "webhook";
  }

  @LimitedAs(CallKind.SEND)
  @PostMapping("/webhooks/{webhook}/test")
  String test(@RequestAttribute ConsoleRequest visit, @PathVariable String webhook)
      throws SQLException {
    return switch (webhooks.test(visit.merchantId(), webhook, visit.actor())) {
      case WebhookResult.Done<String> _ -> shown(webhook, "tested");
      case WebhookResult.Rejected<String>(var problem) -> {
        missingIf(problem);
        yield shown(webhook, "test-failed");
      }
    };
  }

  @PostMapping("/webhooks/{webhook}/enable")
  String enable(@RequestAttribute ConsoleRequest visit, @PathVariable String webhook)
      throws SQLException {
    done(webhooks.enable(visit.merchantId(), webhook, visit.actor()));
    return shown(webhook, "enabled");
  }

  @PostMapping("/webhooks/{webhook}/disable")
  String disable(@RequestAttribute ConsoleRequest visit, @PathVariable String webhook)
      throws SQLException {
    done(webhooks.disable(visit.merchantId(), webhook, visit.actor()));
    return shown(webhook, "disabled");
  }

  /**
   * @param time a local time, from which on changes are delivered again
   * @param after a cursor instead
   */
  @PostMapping("/webhooks/{webhook}/replay")
  String replay(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable String webhook,
      @RequestParam(defaultValue = "") String time,
      @RequestParam(defaultValue = "") String after,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    find(visit, webhook);
    Instant at = instant(time, visit);
    String cursor =
        after.isBlank() && at != null
            ? changes.since(visit.merchantId(), at).text()
            : after.strip();
    if (cursor.isEmpty()) {
      model.addAttribute("timeProblem", true);
    } else {
      switch (webhooks.replay(visit.merchantId(), webhook, cursor, visit.actor())) {
        case WebhookResult.Done<String> _ -> {
          return shown(webhook, "replayed");
        }
        case WebhookResult.Rejected<String>(var problem) -> {
          missingIf(problem);
          model.addAttribute("afterProblem", problem.message(visit.language()));
        }
      }
    }
    model.addAttribute("time", time);
    model.addAttribute("after", after);
    response.setStatus(UNPROCESSABLE);
    return show(visit, webhook, 1, model);
  }

  private static @Nullable Instant instant(String time, ConsoleRequest visit) {
    try {
      return LocalDateTime.parse(time).atZone(visit.zoneId()).toInstant();
    } catch (DateTimeException invalid) {
      return null;
    }
  }

  @GetMapping("/webhooks/{webhook}/{action:rotate|delete}")
  String confirm(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable String webhook,
      @PathVariable String action,
      Model model)
      throws SQLException {
    model.addAttribute("webhook", find(visit, webhook));
    model.addAttribute("action", action);
    return "webhook-confirm";
  }

  @PostMapping("/webhooks/{webhook}/rotate")
  String rotate(@RequestAttribute ConsoleRequest visit, @PathVariable String webhook, Model model)
      throws SQLException {
    return secret(
        done(webhooks.rotate(visit.merchantId(), webhook, visit.actor())),
        "webhook.rotated",
        model);
  }

  @PostMapping("/webhooks/{webhook}/delete")
  String delete(@RequestAttribute ConsoleRequest visit, @PathVariable String webhook)
      throws SQLException {
    done(webhooks.delete(visit.merchantId(), webhook, visit.actor()));
    return "redirect:/console/webhooks?done=deleted";
  }

  private static String secret(Webhooks.WithSecret created, String key, Model model) {
    model.addAttribute("key", key);
    model.addAttribute("id", created.id());
    model.addAttribute("secret", created.secret());
    return "webhook-secret";
  }

  private Webhook find(ConsoleRequest visit, String id) throws SQLException {
    return webhooks.list(visit.merchantId()).stream()
        .filter(webhook -> webhook.id().equals(id))
        .findFirst()
        .orElseThrow(PageException::missing);
  }

  private static <T> T done(WebhookResult<T> result) {
    return switch (result) {
      case WebhookResult.Done<T>(T value) -> value;
      case WebhookResult.Rejected<T>(Problem problem) -> {
        missingIf(problem);
        throw new IllegalStateException("unexpected: " + problem.code());
      }
    };
  }

  private static void missingIf(Problem problem) {
    if (problem.code() == ErrorCode.WEBHOOK_MISSING) {
      throw PageException.missing();
    }
  }

  private static String shown(String webhook, String done) {
    return "redirect:/console/webhooks/" + webhook + "?done=" + done;
  }
}
