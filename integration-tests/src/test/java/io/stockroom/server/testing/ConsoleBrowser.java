package io.stockroom.server.testing;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real browser on the console, in few lines:
 *
 * <pre>{@code
 * try (ConsoleBrowser browser = ConsoleBrowser.of(person).dark().chinese().phone()) {
 *   Page page = browser.open("/console/products");
 *   assertThat(browser.faults(page)).isEmpty();
 * }
 * }</pre>
 *
 * There is one browser for all tests of the JVM, and a context of its own for each of these.
 */
public final class ConsoleBrowser implements AutoCloseable {
  /** The first one has no window that it would have to draw. */
  private static final List<String> NAMES =
      List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");

  private static final int PATIENCE_MILLIS = 10_000;
  private static @Nullable Browser shared;

  private final TestServer server;
  private final @Nullable TestPerson person;
  private final Browser.NewContextOptions options =
      new Browser.NewContextOptions().setViewportSize(1280, 800).setLocale("en-GB");
  private final List<String> complaints = new ArrayList<>();
  private final AtomicLong bytes = new AtomicLong();
  private @Nullable BrowserContext context;

  private ConsoleBrowser(TestServer server, @Nullable TestPerson person) {
    this.server = server;
    this.person = person;
  }

  /** A browser in which this person is already signed in. */
  public static ConsoleBrowser of(TestPerson person) {
    return new ConsoleBrowser(person.server(), person);
  }

  public static ConsoleBrowser stranger() {
    return new ConsoleBrowser(TestServer.shared(), null);
  }

  /** A browser without a session, on the given server. */
  public static ConsoleBrowser on(TestServer server) {
    return new ConsoleBrowser(server, null);
  }

  public ConsoleBrowser dark() {
    options.setColorScheme(ColorScheme.DARK);
    return this;
  }

  public ConsoleBrowser chinese() {
    options.setLocale("zh-CN");
    return this;
  }

  public ConsoleBrowser phone() {
    options.setViewportSize(390, 844).setIsMobile(true).setHasTouch(true).setDeviceScaleFactor(2);
    return this;
  }

  /** Opens a page and waits until it has loaded. */
  public Page open(String path) {
    Page page = blank();
    show(page, path);
    return page;
  }

  /** An empty page. */
  public Page blank() {
    Page page = context().newPage();
    page.setDefaultTimeout(PATIENCE_MILLIS);
    return page;
  }

  /** Clears all cookies and signs this person in; null for no session. */
  public void signIn(@Nullable TestPerson next) {
    context().clearCookies();
    if (next != null) {
      context().addCookies(List.of(cookie(next)));
    }
  }

  public void show(Page page, String path) {
    page.navigate(Pages.origin(server) + path);
  }

  /** Shows a page in the only tab, for a tour of many pages. */
  public Page visit(String path) {
    List<Page> tabs = context().pages();
    if (tabs.isEmpty()) {
      return open(path);
    }
    Page page = tabs.getFirst();
    show(page, path);
    return page;
  }

  /** Opens a page saved on disk. */
  public Page openFile(Path file) {
    Page page = blank();
    page.navigate(file.toUri().toString());
    return page;
  }

  /**
   * The problems of a page: violations of WCAG 2.2 AA found by axe, browser errors (such as a
   * violated Content-Security-Policy or a script error), and requests to other hosts.
   */
  public List<String> faults(Page page) {
    return faults(page, "html", Map.of());
  }

  /** As {@link #faultsBesidesLayout}, without the header, which is the same on all pages. */
  public List<String> contentFaults(Page page) {
    return faults(page, "main, dialog[open]", Axe.BESIDES_LAYOUT);
  }

  /**
   * As {@link #faults}, without the contrast of text and the size of controls, which take axe
   * longer than all the rest.
   */
  public List<String> faultsBesidesLayout(Page page) {
    return faults(page, "html", Axe.BESIDES_LAYOUT);
  }

  private List<String> faults(Page page, String where, Map<String, ?> rules) {
    if (!page.evaluate(Axe.LOAD).equals(true)) {
      page.evaluate(Axe.SCRIPT);
      // the next page in this tab has it, so that half a megabyte is sent and parsed only once
      page.addInitScript("globalThis.loadAxe = () => {" + Axe.SCRIPT + "}");
    }
    List<String> faults = new ArrayList<>(complaints);
    Object found = page.evaluate(Axe.RUN, List.of(where, rules));
    ((List<?>) found).forEach(fault -> faults.add(String.valueOf(fault)));
    return faults;
  }

  /** The browser errors so far, without axe. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** The number of bytes transferred so far. */
  public long bytes() {
    return bytes.get();
  }

  public Map<String, String> cookies() {
    Map<String, String> cookies = new TreeMap<>();
    context().cookies().forEach(cookie -> cookies.put(cookie.name, cookie.value));
    return cookies;
  }

  private BrowserContext context() {
    if (context == null) {
      BrowserContext fresh = browser().newContext(options);
      if (person != null) {
        fresh.addCookies(List.of(cookie(person)));
      }
      String own = Pages.origin(server) + "/";
      fresh.onRequest(
          request -> {
            boolean ours =
                Stream.of(own, "data:", "file:", "blob:").anyMatch(request.url()::startsWith);
            if (!ours && !request.resourceType().equals("image")) {
              complaints.add("from another host: " + request.url());
            }
          });
      fresh.onResponse(this::weigh);
      fresh.onConsoleMessage(
          message -> {
            // an expected error status, a merchant's missing picture and a page left while it asks
            // for an update are not problems of the page
            boolean expected =
                Stream.of(
                        "Failed to load resource",
                        "Response Status Error Code",
                        "htmx:sendAbort",
                        "htmx:afterRequest")
                    .anyMatch(message.text()::startsWith);
            if (message.type().equals("error") && !expected) {
              complaints.add("console: " + message.text());
            }
          });
      fresh.onDialog(
          dialog -> {
            // confirms leaving a page with unsaved changes
            if (!dialog.type().equals("beforeunload")) {
              complaints.add("dialog: " + dialog.message());
            }
            dialog.accept();
          });
      fresh.onWebError(error -> complaints.add("script: " + error.error()));
      context = fresh;
    }
    return context;
  }

  private Cookie cookie(TestPerson signedIn) {
    return new Cookie("stockroom-session", signedIn.session())
        .setUrl(Pages.origin(server))
        .setHttpOnly(true);
  }

  private void weigh(Response response) {
    String length = response.headers().get("content-length");
    bytes.addAndGet(length == null ? 0 : Long.parseLong(length));
  }

  @Override
  public void close() {
    if (context != null) {
      context.close();
    }
  }

  private static synchronized Browser browser() {
    if (shared == null) {
      Playwright playwright =
          Playwright.create(
              new Playwright.CreateOptions()
                  .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
      Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
      shared =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(program())
                      .setArgs(
                          List.of(
                              // containers have no user namespaces, and the pages are trusted
                              "--no-sandbox",
                              "--disable-gpu",
                              // one renderer process for all pages, because starting one takes
                              // longer than rendering
                              "--renderer-process-limit=1",
                              "--in-process-gpu",
                              // all of them draw the same letters
                              "--font-render-hinting=slight",
                              // never contact another host
                              "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost")));
    }
    return shared;
  }

  private static Path program() {
    String path = String.valueOf(System.getenv("PATH"));
    for (String name : NAMES) {
      for (String folder : path.split(":", -1)) {
        Path program = Path.of(folder, name);
        if (Files.isExecutable(program)) {
          return program;
        }
      }
    }
    throw new IllegalStateException(
        "The tests of the console need Chromium. Install it (Debian: apt install chromium).");
  }

  /** The accessibility checker, loaded on first use. */
  private static final class Axe {
    static final String SCRIPT = script();
    static final Map<String, ?> BESIDES_LAYOUT =
        Map.of("color-contrast", Map.of("enabled", false), "target-size", Map.of("enabled", false));
    static final String LOAD =
        """
        () => {
          if (!globalThis.axe) {
            globalThis.loadAxe?.();
          }
          return Boolean(globalThis.axe);
        }
        """;
    static final String RUN =
        """
        ([where, rules]) => axe.run(where, {
          rules,
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
          preload: false,
          resultTypes: ["violations"],
          selectors: false
        }).then((result) => result.violations.flatMap((violation) => violation.nodes.map(
          (node) => `${violation.impact} ${violation.id}: ${node.html.slice(0, 200)} ${
            node.failureSummary.replace(/\\s+/g, " ")}`)))
        """;

    private static String script() {
      try (InputStream stream = ConsoleBrowser.class.getResourceAsStream("/axe.min.js")) {
        return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
