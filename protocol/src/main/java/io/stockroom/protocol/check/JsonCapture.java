package io.stockroom.protocol.check;

import io.stockroom.protocol.check.CapturedRequest.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/**
 * Parses a request written as JSON: a HAR file as browsers and proxies save it (its first call to
 * the interface), or an object with {@code method}, {@code url}, {@code headers} and {@code body}.
 */
final class JsonCapture {
  private final JsonPlaces places;

  private JsonCapture(JsonPlaces places) {
    this.places = places;
  }

  static CapturedRequest read(String text) {
    try {
      JsonCapture capture = new JsonCapture(JsonPlaces.read(text));
      return capture.request(capture.place());
    } catch (JacksonException broken) {
      TokenStreamLocation at = broken.getLocation();
      String where = at == null ? "" : at.getLineNr() + ":" + at.getColumnNr();
      throw new UnreadableCapture("JSON", where);
    }
  }

  /** Where the request is; a browser's HAR file also has images and scripts. */
  private String place() {
    List<String> requests =
        IntStream.iterate(0, i -> places.has("log.entries[" + i + "]"), i -> i + 1)
            .mapToObj("log.entries[%d].request."::formatted)
            .toList();
    if (requests.isEmpty()) {
      if (!places.has("url") && !places.has("headers")) {
        throw new UnreadableCapture("JSON_SHAPE", "");
      }
      return "";
    }
    return requests.stream().filter(this::isCall).findFirst().orElse(requests.get(0));
  }

  private boolean isCall(String request) {
    String target = RawHttp.target(places.text(request + "url"));
    return AddressRules.meant(target.split("\\?", 2)[0]) != null;
  }

  private CapturedRequest request(String at) {
    String method = places.text(at + "method");
    return new CapturedRequest(
        method.isEmpty() ? "POST" : method,
        RawHttp.target(places.text(at + "url")),
        headers(at + "headers"),
        body(at));
  }

  private List<Header> headers(String at) {
    List<Header> headers = new ArrayList<>();
    for (String name : places.names(at)) {
      headers.add(new Header(name, places.text(at + "." + name)));
    }
    for (int i = 0; places.has(at + "[" + i + "]"); i++) {
      String header = at + "[" + i + "].";
      headers.add(new Header(places.text(header + "name"), places.text(header + "value")));
    }
    return headers;
  }

  private @Nullable String body(String at) {
    String place = places.has(at + "postData") ? at + "postData.text" : at + "body";
    boolean shown = places.is(JsonToken.VALUE_STRING, place) || places.has(at + "bodySize");
    return shown ? places.text(place) : null;
  }
}
