package io.stockroom.pictures;

import io.stockroom.core.call.Rejection;
import io.stockroom.core.http.Languages;
import io.stockroom.core.http.Responses;
import io.stockroom.pictures.Pictures.Content;
import io.stockroom.protocol.ErrorCode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@code GET /pictures/…}. Nobody signs in for it: an address cannot be guessed. */
public final class PicturesServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  /** What the servlet is mapped to. */
  public static final String PATHS = PictureAddress.FOLDER + "/*";

  private static final Logger log = LoggerFactory.getLogger(PicturesServlet.class);
  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");
  private static final int RETRY_SECONDS = 5;
  static final String IMMUTABLE = "public, max-age=31536000, immutable";

  /** A picture may move to another store. */
  private static final String MOVABLE = "public, max-age=3600";

  private final transient Pictures pictures;
  private final transient Languages languages;

  public PicturesServlet(Pictures pictures, Languages languages) {
    this.pictures = pictures;
    this.languages = languages;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Content-Security-Policy", "default-src 'none'");
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    PictureAddress address = PictureAddress.parse(request.getRequestURI());
    try {
      Content content = address == null ? null : pictures.open(address);
      if (address == null || content == null) {
        reject(request, response, Rejection.of("", ErrorCode.PICTURE_MISSING));
      } else if (content.location() != null) {
        response.setStatus(HttpServletResponse.SC_FOUND);
        response.setHeader("Location", content.location());
        response.setHeader("Cache-Control", MOVABLE);
      } else {
        send(request, response, content, '"' + address.sha256() + '-' + address.size() + '"');
      }
    } catch (SQLException | StoreUnavailable failure) {
      log.warn("Cannot read a picture: {}", failure.getMessage());
      reject(request, response, unavailable());
    }
  }

  static Rejection unavailable() {
    return Rejection.of("", ErrorCode.PICTURES_UNAVAILABLE, RETRY_SECONDS)
        .with("Retry-After", String.valueOf(RETRY_SECONDS));
  }

  private void reject(HttpServletRequest request, HttpServletResponse response, Rejection rejection)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    Responses.send(response, rejection, languages.of(request));
  }

  private static void send(
      HttpServletRequest request, HttpServletResponse response, Content content, String tag)
      throws IOException {
    response.setHeader("ETag", tag);
    response.setHeader("Cache-Control", IMMUTABLE);
    response.setHeader("Accept-Ranges", "bytes");
    String known = request.getHeader("If-None-Match");
    if (known != null && (known.equals("*") || known.contains(tag))) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    int length = content.bytes().length;
    String condition = request.getHeader("If-Range");
    String wanted = condition == null || condition.equals(tag) ? request.getHeader("Range") : null;
    Range range = Range.parse(wanted, length);
    if (range == null) {
      response.setStatus(HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE);
      response.setHeader("Content-Range", "bytes */" + length);
      return;
    }
    if (range.length() < length) {
      response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
      response.setHeader(
          "Content-Range", "bytes %d-%d/%d".formatted(range.first, range.last, length));
    }
    response.setContentType(content.mediaType());
    response.setContentLength(range.length());
    if (request.getMethod().equals("GET")) {
      response.getOutputStream().write(content.bytes(), range.first, range.length());
    }
  }

  private record Range(int first, int last) {
    int length() {
      return last - first + 1;
    }

    /** Everything if none is wanted, or several at once; null if there is no such part. */
    static @Nullable Range parse(@Nullable String wanted, int length) {
      Matcher found = RANGE.matcher(wanted == null ? "" : wanted.strip());
      if (!found.matches() || found.group().equals("bytes=-")) {
        return new Range(0, length - 1);
      }
      if (found.group(1).isEmpty()) {
        long last = Math.min(length, Long.parseLong(found.group(2)));
        return last == 0 ? null : new Range((int) (length - last), length - 1);
      }
      long first = Long.parseLong(found.group(1));
      if (first >= length) {
        return null;
      }
      long last = found.group(2).isEmpty() ? length - 1 : Long.parseLong(found.group(2));
      return last < first
          ? new Range(0, length - 1)
          : new Range((int) first, (int) Math.min(last, length - 1L));
    }
  }
}
