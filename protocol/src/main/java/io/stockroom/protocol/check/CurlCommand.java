package io.stockroom.protocol.check;

import io.stockroom.protocol.check.CapturedRequest.Header;
import io.stockroom.protocol.request.RequestContent;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The request that a pasted curl command would send. */
final class CurlCommand {
  private static final Set<String> DATA =
      Set.of("-d", "--data", "--data-ascii", "--data-raw", "--data-binary", "--data-urlencode");

  /** Options with a value that does not affect the request. */
  private static final Set<String> OTHERS =
      Set.of(
          ("-o --output -A --user-agent -b --cookie -c --cookie-jar -e --referer -m --max-time"
                  + " --connect-timeout -x --proxy -u --user -w --write-out --cacert --cert --key"
                  + " --resolve -D --dump-header --retry -K --config -T --upload-file"
                  + " --limit-rate --interface")
              .split(" "));

  private final List<Header> headers = new ArrayList<>();
  private final List<String> data = new ArrayList<>();
  private String url = "";
  private @Nullable String method;
  private boolean get;
  private String type = RequestContent.FORM;
  private boolean multipart;
  private boolean fromFile;

  private CurlCommand() {}

  static CapturedRequest read(String command) {
    CurlCommand curl = new CurlCommand();
    List<String> words = ShellWords.split(command);
    for (int i = 1; i < words.size(); i++) {
      i += curl.take(words.get(i), i + 1 < words.size() ? words.get(i + 1) : "");
    }
    return curl.request();
  }

  /** Reads an option and returns how many of the following words belong to it. */
  private int take(String word, String next) {
    if (!word.startsWith("-") || word.equals("-")) {
      url = url.isEmpty() ? word : url;
      return 0;
    }
    if (word.startsWith("--")) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        return option(word, next) ? 1 : 0;
      }
      option(word.substring(0, equals), word.substring(equals + 1));
      return 0;
    }
    // short options can be joined, and a value can follow without a space: -sXPOST
    for (int i = 1; i < word.length(); i++) {
      String rest = word.substring(i + 1);
      if (option("-" + word.charAt(i), rest.isEmpty() ? next : rest)) {
        return rest.isEmpty() ? 1 : 0;
      }
    }
    return 0;
  }

  /** Applies an option; returns whether it uses {@code value}. */
  private boolean option(String name, String value) {
    switch (name) {
      case "-X", "--request" -> method = value;
      case "-H", "--header" -> header(value);
      case "--url" -> url = value;
      case "--json" -> {
        type = RequestContent.JSON;
        data("--data-binary", value);
      }
      case "-F", "--form", "--form-string" -> {
        type = "multipart/form-data";
        multipart = true;
      }
      case "-G", "--get" -> get = true;
      case "-I", "--head" -> method = "HEAD";
      default -> {
        if (DATA.contains(name)) {
          data(name, value);
        }
        return DATA.contains(name) || OTHERS.contains(name);
      }
    }
    return !Set.of("-G", "--get", "-I", "--head").contains(name);
  }

  private void header(String line) {
    int colon = line.indexOf(':');
    if (colon > 0) {
      headers.add(new Header(line.substring(0, colon).strip(), line.substring(colon + 1).strip()));
    } else if (line.endsWith(";")) {
      headers.add(new Header(line.substring(0, line.length() - 1), ""));
    }
  }

  private void data(String name, String value) {
    if (value.startsWith("@") && !name.equals("--data-raw")) {
      fromFile = true;
    } else if (name.equals("--data-urlencode")) {
      int start = value.indexOf('=') + 1;
      String text = URLEncoder.encode(value.substring(start), StandardCharsets.UTF_8);
      data.add(value.substring(0, start) + text);
    } else {
      data.add(value);
    }
  }

  private CapturedRequest request() {
    if (url.isEmpty()) {
      throw new UnreadableCapture("CURL_URL", "");
    }
    String body = String.join("&", data);
    String target = RawHttp.target(url.contains("://") ? url : "http://" + url);
    if (get) {
      target += (target.contains("?") ? "&" : "?") + body;
      body = "";
    }
    boolean sends = !get && (!data.isEmpty() || fromFile || multipart);
    if (sends && headers.stream().noneMatch(h -> h.name().equalsIgnoreCase("Content-Type"))) {
      headers.add(new Header("Content-Type", type));
    }
    String usual = sends ? "POST" : "GET";
    return new CapturedRequest(
        method == null ? usual : method, target, headers, fromFile || multipart ? null : body);
  }
}
