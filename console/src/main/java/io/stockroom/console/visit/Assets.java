package io.stockroom.console.visit;

import io.stockroom.protocol.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The scripts, styles and images of the console. Each URL contains a hash of the content, so
 * browsers can cache it forever.
 */
public final class Assets {
  private static final String OWN = "/console/assets/";
  private static final int HASH_CHARACTERS = 12;

  /** The parts of {@code console.css}, in cascade order. */
  private static final List<String> STYLES =
      List.of(
          "tokens",
          "base",
          "controls",
          "blocks",
          "products",
          "applications",
          "traffic",
          "operator",
          "imports",
          "overview",
          "pictures");

  /** One file, ready to send. */
  public record Asset(String type, byte[] bytes, byte[] zipped) {}

  private final Map<String, Asset> byAddress = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();

  /** Registers every file that the pages use. */
  public Assets() {
    add("console.css", styles(), "text/css; charset=utf-8");
    add("console.js", OWN + "console.js", "text/javascript; charset=utf-8");
    add("palette.js", OWN + "palette.js", "text/javascript; charset=utf-8");
    add("products.js", OWN + "products.js", "text/javascript; charset=utf-8");
    add("icon.svg", OWN + "icon.svg", "image/svg+xml");
    add("products-sample.csv", OWN + "products-sample.csv", "text/csv; charset=utf-8");
    add("products-sample-zh.csv", OWN + "products-sample-zh.csv", "text/csv; charset=utf-8");
    // register a module before the modules that import it
    for (String module : new String[] {"element", "pictures", "picture-list"}) {
      add(module + ".js", OWN + module + ".js", "text/javascript; charset=utf-8");
    }
    for (String module :
        new String[] {
          "text", "input", "block", "model", "cell", "view", "history", "phone", "editor", "paste",
          "save", "add", "remove", "scan", "fill", "live", "keys", "picture"
        }) {
      add(
          "grid-" + module + ".js",
          OWN + "grid-" + module + ".js",
          "text/javascript; charset=utf-8");
    }
    add("grid.js", OWN + "grid.js", "text/javascript; charset=utf-8");
    add("grid.css", OWN + "grid.css", "text/css; charset=utf-8");
    add("md5.js", webjar("js-md5", "build/md5.min.js"), "text/javascript; charset=utf-8");
    add("sha256.js", webjar("js-sha256", "build/sha256.min.js"), "text/javascript; charset=utf-8");
    add("imports.js", OWN + "imports.js", "text/javascript; charset=utf-8");
    for (String module : new String[] {"copy", "explorer-request", "explorer-answer", "explorer"}) {
      add(module + ".js", OWN + module + ".js", "text/javascript; charset=utf-8");
    }
    add("zxing.js", OWN + "zxing/index.min.js", "text/javascript; charset=utf-8");
    add("htmx.js", webjar("htmx.org", "dist/htmx.min.js"), "text/javascript; charset=utf-8");
  }

  /** The URL of a file. */
  public String address(String name) {
    String address = addresses.get(name);
    if (address == null) {
      throw new IllegalArgumentException("no such file: " + name);
    }
    return "/console/assets/" + address;
  }

  /** The file at a URL; null if there is none. */
  @Nullable Asset find(String address) {
    return byAddress.get(address);
  }

  /** All styles in one file, so a page needs one request instead of ten. */
  private static byte[] styles() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    STYLES.forEach(name -> all.writeBytes(read(OWN + "css/" + name + ".css")));
    return all.toByteArray();
  }

  private void add(String name, String resource, String type) {
    add(name, name.endsWith(".js") ? linked(read(resource)) : read(resource), type);
  }

  private void add(String name, byte[] bytes, String type) {
    String hash = HexFormat.of().formatHex(Sha256.of(bytes)).substring(0, HASH_CHARACTERS);
    int dot = name.lastIndexOf('.');
    String address = name.substring(0, dot) + "-" + hash + name.substring(dot);
    addresses.put(name, address);
    byAddress.put(address, new Asset(type, bytes, zip(bytes)));
  }

  /** The script with the hashed URLs of its imports. */
  private byte[] linked(byte[] script) {
    String text = new String(script, StandardCharsets.UTF_8);
    for (Map.Entry<String, String> known : addresses.entrySet()) {
      text = text.replace("\"./" + known.getKey() + "\"", "\"./" + known.getValue() + "\"");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Finds the version of a library on the class path. */
  private static String webjar(String name, String file) {
    String maven = "/META-INF/maven/org.webjars.npm/" + name + "/pom.properties";
    try (InputStream stream = new ByteArrayInputStream(read(maven))) {
      Properties properties = new Properties();
      properties.load(stream);
      return "/META-INF/resources/webjars/%s/%s/%s"
          .formatted(name, properties.getProperty("version"), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(String resource) {
    try (InputStream stream = Assets.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("not on the class path: " + resource);
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] zip(byte[] bytes) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }
}
