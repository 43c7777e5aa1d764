package io.stockroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest. */
final class Version implements IVersionProvider {
  private static final String BUILT = "/META-INF/maven/io.stockroom/stockroom-cli/pom.properties";

  @Override
  public String[] getVersion() {
    return new String[] {"stockroom " + number()};
  }

  static String number() {
    Properties properties = new Properties();
    try (@Nullable InputStream stream = Version.class.getResourceAsStream(BUILT)) {
      if (stream != null) {
        properties.load(stream);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return properties.getProperty("version", "(development)");
  }
}
