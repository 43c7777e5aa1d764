package io.stockroom.console.visit;

import io.stockroom.console.people.Client;
import io.stockroom.console.people.Person;
import io.stockroom.console.people.PersonPreferences;
import io.stockroom.console.people.Role;
import io.stockroom.console.people.Sessions;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.http.Addresses;
import io.stockroom.core.http.Languages;
import io.stockroom.core.settings.FileSize;
import io.stockroom.core.settings.LimitSettings;
import io.stockroom.core.settings.LimitText;
import io.stockroom.core.settings.PictureSettings;
import io.stockroom.core.settings.ReadableDuration;
import io.stockroom.core.settings.Settings;
import io.stockroom.pictures.Pictures;
import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to the console: the signed-in person, the language, the theme and the client. Templates
 * see it as {@code visit}.
 */
public final class ConsoleRequest {
  public static final String ATTRIBUTE = "visit";

  private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  private final Factory factory;
  private final HttpServletRequest request;
  private final @Nullable Person person;
  private final @Nullable String session;

  private ConsoleRequest(
      Factory factory,
      HttpServletRequest request,
      @Nullable Person person,
      @Nullable String session) {
    this.factory = factory;
    this.request = request;
    this.person = person;
    this.session = session;
  }

  /** Creates requests and holds what all of them share. */
  public static final class Factory {
    private final Languages languages;
    private final Addresses addresses;
    private final Assets assets;
    private final Cookies cookies;
    private final ProxyWarning proxyWarning;
    private final Pictures pictures;
    private final String baseUrl;
    private final String picturesUrl;
    private final ZoneId zone;
    private final Clock clock;

    public Factory(
        Languages languages,
        Addresses addresses,
        Assets assets,
        Cookies cookies,
        Pictures pictures,
        Settings settings,
        Clock clock) {
      this.languages = languages;
      this.addresses = addresses;
      this.assets = assets;
      this.cookies = cookies;
      this.proxyWarning = new ProxyWarning(settings);
      this.pictures = pictures;
      this.baseUrl = settings.get(Settings.BASE_URL).replaceAll("/+$", "");
      this.picturesUrl = settings.get(PictureSettings.BASE_URL);
      this.zone = settings.get(LimitSettings.ZONE);
      this.clock = clock;
    }

    public ConsoleRequest anonymous(HttpServletRequest request) {
      addresses.notice(request);
      proxyWarning.notice(request);
      return new ConsoleRequest(this, request, null, null);
    }
  }

  /** This request with the signed-in person. */
  ConsoleRequest of(Person known, String id) {
    return new ConsoleRequest(factory, request, known, id);
  }

  public static ConsoleRequest of(HttpServletRequest request) {
    return (ConsoleRequest) Objects.requireNonNull(request.getAttribute(ATTRIBUTE));
  }

  public boolean isSignedIn() {
    return person != null;
  }

  /** The signed-in person; only for pages with {@link Allow}. */
  public Person person() {
    return Objects.requireNonNull(person, "not signed in");
  }

  /** Whether the signed-in person works with a merchant's products. */
  public boolean isMerchantPerson() {
    return person != null && person.is(Role.MERCHANT);
  }

  /** The session id; only for pages with {@link Allow}. */
  public String session() {
    return Objects.requireNonNull(session, "not signed in");
  }

  /** The merchant whose data is shown; every query of a merchant's page filters by it. */
  public int merchantId() {
    Integer merchantId = person().merchantId();
    if (merchantId == null) {
      throw PageException.missing();
    }
    return merchantId;
  }

  /** Whether this person may change nothing of the merchant. */
  public boolean isReadOnly() {
    return person != null && person.isReadOnly();
  }

  /** The CSRF token, which every form carries in the field {@code form-token}. */
  public String formToken() {
    return session == null ? "" : Sessions.formToken(session);
  }

  /** The person's language, or else the browser's. */
  public Language language() {
    Language stored = person == null ? null : person.preferences().language();
    Language chosen =
        stored == null
            ? PersonPreferences.language(Cookies.read(request, Cookies.LANGUAGE))
            : stored;
    return chosen == null ? factory.languages.of(request) : chosen;
  }

  /** The value of the {@code lang} attribute. */
  public String languageTag() {
    return switch (language()) {
      case ENGLISH -> "en";
      case CHINESE -> "zh-CN";
    };
  }

  public Theme theme() {
    String stored = person == null ? null : person.preferences().theme();
    return Theme.of(stored == null ? Cookies.read(request, Cookies.THEME) : stored);
  }

  public List<Navigation.Entry> navigation() {
    return Navigation.of(person);
  }

  public String path() {
    return request.getRequestURI();
  }

  /** The path and query of this request, to return to. */
  public String here() {
    String query = request.getQueryString();
    return query == null ? path() : path() + "?" + query;
  }

  /** The absolute URL of one of our paths, for sharing. */
  public String whole(String path) {
    String host =
        factory.baseUrl.isEmpty()
            ? request.getScheme() + "://" + request.getHeader("Host")
            : factory.baseUrl;
    return host + path;
  }

  public String asset(String name) {
    return factory.assets.address(name);
  }

  public Client client() {
    return new Client(
        factory.addresses.of(request),
        String.valueOf(request.getHeader("User-Agent")),
        factory.cookies.mark(request));
  }

  /** Whose requests share a part of a limit: the person, or else the client's network. */
  String limitOwner() {
    return person == null ? client().network() : "person " + person.personId();
  }

  /** The merchant whose people share a part of a limit; empty for everybody else. */
  String limitGroup() {
    return person == null || person.merchantId() == null || person.viewing()
        ? ""
        : "merchant " + person.merchantId();
  }

  /** The signed-in person as the actor in the audit log. */
  public Actor actor() {
    return Actor.person(person().email(), client().address());
  }

  /** Formats a time for people, in their time zone. */
  public String time(Instant instant) {
    return MINUTES.withZone(zoneId()).format(instant);
  }

  /** Formats a time in the near future within a sentence: {@code 16 Nov, 00:00}. */
  public String shortTime(Instant instant) {
    ZonedDateTime time = instant.atZone(zoneId());
    String date =
        switch (language()) {
          case ENGLISH -> "d MMM, ";
          case CHINESE -> "M 月 d 日 ";
        };
    String clock = time.getSecond() == 0 ? "HH:mm" : "HH:mm:ss";
    return DateTimeFormatter.ofPattern(date + clock, Locale.ENGLISH).format(time);
  }

  /** Formats a setting's value for people: {@code 2 seconds} for {@code PT2S}. */
  public String readable(String value) {
    return ReadableDuration.of(value, language());
  }

  /** Formats the value of a limit for people: {@code 10 per second}. */
  public String limit(String name, String value) {
    return LimitText.of(name, value, language());
  }

  /** Like {@link #time}, with seconds. */
  public String second(Instant instant) {
    return SECONDS.withZone(zoneId()).format(instant);
  }

  /** How long ago a recent time was: {@code 5 minutes ago}; older times as {@link #time}. */
  public String ago(Instant instant) {
    String words = RelativeTime.of(Duration.between(instant, factory.clock.instant()), language());
    return words == null ? time(instant) : words;
  }

  /** The present time in milliseconds; the page counts on from it to keep relative times right. */
  public long now() {
    return factory.clock.millis();
  }

  public ZoneId zoneId() {
    ZoneId own = person == null ? null : person.preferences().zone();
    return own == null ? factory.zone : own;
  }

  public String zone() {
    return zoneId().getId();
  }

  /** The zone whose midnight begins a new day for limits, for everybody. */
  public String limitsZone() {
    return factory.zone.getId();
  }

  /** Where the docs explain this page, in the person's language. */
  public String help() {
    return Help.address(path(), language());
  }

  /**
   * The URL of a picture on this page. Our own pictures get a relative URL, so they load under
   * localhost, 127.0.0.1 or any host name, unless they have a host name of their own; pictures on
   * other hosts get https, the only scheme that the Content-Security-Policy allows for them.
   */
  public String picture(String address) {
    String port = ":" + request.getLocalPort();
    for (String own :
        List.of(
            request.getScheme() + "://" + request.getHeader("Host"),
            factory.baseUrl,
            "http://localhost" + port,
            "http://127.0.0.1" + port)) {
      if (!own.isEmpty() && address.startsWith(own + "/")) {
        return address.substring(own.length());
      }
    }
    boolean own = !factory.picturesUrl.isEmpty() && address.startsWith(factory.picturesUrl + "/");
    return own ? address : address.replaceFirst("^http://", "https://");
  }

  /**
   * As {@link #picture}, for a place of about this size. Only our own pictures have thumbnails.
   *
   * @param size one of {@link Pictures#THUMBNAILS}
   */
  public String thumbnail(String address, int size) {
    return picture(factory.pictures.thumbnail(address, size));
  }

  /** The largest picture that can be uploaded. */
  public long pictureBytes() {
    return factory.pictures.maxBytes();
  }

  /** As {@link #pictureBytes}, for people: {@code 10 MiB}. */
  public String pictureSize() {
    return FileSize.shown(pictureBytes());
  }

  /** Whether a script sent this request and expects an HTML fragment or a short response. */
  public boolean isPiece() {
    return "true".equals(request.getHeader("HX-Request"))
        || "fetch".equals(request.getHeader("Stockroom-Request"));
  }
}
