package io.stockroom.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.database.StartException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The unpacked PostgreSQL programs: {@code folder} contains {@code bin}, {@code lib} and {@code
 * share}.
 */
record PostgresBinaries(Path folder) {
  private static final String ELSEWHERE =
      " Give Stockroom the address of a PostgreSQL server (15 or newer) with --database-url.";

  /** Root's cache for an account that cannot read root's home folder. */
  private static final Path SYSTEM_CACHE = Path.of("/var/cache");

  /**
   * Finds the programs for this machine; on first use unpacks them into the user's cache folder,
   * the system's, or the data folder: the first that the running account can use.
   */
  static PostgresBinaries locate(DataFolder data, PostgresCommand command) {
    String resource =
        resourceFor(
            System.getProperty("os.name", ""), System.getProperty("os.arch", ""), Path.of("/"));
    URL archive = PostgresBinaries.class.getClassLoader().getResource(resource);
    if (archive == null) {
      throw new StartException(
          "This build of Stockroom does not contain " + resource + "." + ELSEWHERE);
    }
    List<Path> places = new ArrayList<>();
    Path cache = cacheFolder(System.getenv(), System.getProperty("user.home", ""));
    if (cache != null && command.reaches(cache)) {
      places.add(cache.resolve("stockroom"));
    }
    if (command.account() != null) {
      places.add(SYSTEM_CACHE.resolve("stockroom"));
    }
    places.add(data.path().resolve("binaries"));
    return unpackInFirstUsable(places, archive, command);
  }

  /** The archive for this machine. {@code root} is the root of its file system. */
  static String resourceFor(String operatingSystem, String architecture, Path root) {
    if (!operatingSystem.toLowerCase(Locale.ROOT).startsWith("linux")) {
      throw new StartException(
          "Stockroom contains no PostgreSQL for " + operatingSystem + "." + ELSEWHERE);
    }
    String name;
    String loader;
    switch (architecture) {
      case "amd64", "x86_64" -> {
        name = "x86_64";
        loader = "lib64/ld-linux-x86-64.so.2";
      }
      case "aarch64", "arm64" -> {
        name = "arm_64";
        loader = "lib/ld-linux-aarch64.so.1";
      }
      default ->
          throw new StartException(
              "Stockroom contains no PostgreSQL for " + architecture + " processors." + ELSEWHERE);
    }
    // Alpine may have a glibc compatibility loader, but PostgreSQL does not run on it.
    if (Files.exists(root.resolve("etc/alpine-release")) || !Files.exists(root.resolve(loader))) {
      throw new StartException(
          "The PostgreSQL in Stockroom needs the GNU C library, which this system lacks"
              + " (like Alpine and other musl systems)."
              + ELSEWHERE);
    }
    return "postgres-linux-" + name + ".txz";
  }

  static @Nullable Path cacheFolder(Map<String, String> environment, String home) {
    Path cache = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
    if (cache.isAbsolute()) {
      return cache;
    }
    Path homeFolder = Path.of(home);
    return homeFolder.isAbsolute() ? homeFolder.resolve(".cache") : null;
  }

  static PostgresBinaries unpackInFirstUsable(
      List<Path> places, URL archive, PostgresCommand command) {
    List<String> reasons = new ArrayList<>();
    for (Path place : places) {
      try {
        PostgresBinaries binaries = unpackIn(place, archive, command.account() != null);
        // Also false if the file system is mounted with noexec.
        if (Files.isExecutable(binaries.postgres()) && command.reaches(binaries.postgres())) {
          return binaries;
        }
        reasons.add(place + ": programs there cannot be run");
      } catch (IOException e) {
        reasons.add(place + ": " + DataFolder.describe(e));
      }
    }
    throw new StartException(
        "PostgreSQL could not be unpacked. "
            + String.join("; ", reasons)
            + ". Make one of these folders writable, or name another with XDG_CACHE_HOME.");
  }

  private static PostgresBinaries unpackIn(Path place, URL archive, boolean forOthers)
      throws IOException {
    Files.createDirectories(
        place, forOthers ? DataFolder.READABLE_FOLDER : DataFolder.OWNER_ONLY_FOLDER);
    // Never run programs that another user could have put there.
    if (Files.getAttribute(place, "unix:uid") instanceof Integer owner
        && owner != CurrentUser.id()) {
      throw new IOException("belongs to another user");
    }
    String file = Path.of(archive.getPath()).getFileName().toString();
    String name = file.replace("postgres-", "postgresql-").replace(".txz", "-" + checksum(archive));
    PostgresBinaries binaries = new PostgresBinaries(place.resolve(name));
    if (!binaries.areComplete()) {
      PostgresArchive.discard(place, name);
      try (InputStream in = archive.openStream()) {
        new PostgresArchive(in).unpackTo(place, name);
      }
    }
    return binaries;
  }

  // The jar's index contains the checksum, so a start need not read the whole archive.
  private static String checksum(URL archive) throws IOException {
    URLConnection connection = archive.openConnection();
    long crc =
        connection instanceof JarURLConnection jar && jar.getJarEntry() != null
            ? jar.getJarEntry().getCrc()
            : -1;
    if (crc == -1) {
      CRC32 counted = new CRC32();
      try (InputStream in = new CheckedInputStream(archive.openStream(), counted)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      crc = counted.getValue();
    }
    return HexFormat.of().toHexDigits((int) crc);
  }

  Path postgres() {
    return folder.resolve("bin/postgres");
  }

  Path initdb() {
    return folder.resolve("bin/initdb");
  }

  /** The major version, read from initdb's template file. */
  String majorVersion() {
    try (BufferedReader reader = Files.newBufferedReader(catalogue(), UTF_8)) {
      String first = String.valueOf(reader.readLine());
      return first.replaceFirst("^# PostgreSQL ", "").strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path catalogue() {
    return folder.resolve("share/postgresql/postgres.bki");
  }

  // Folders appear atomically, but a cache cleaner may have deleted files since.
  private boolean areComplete() {
    return Files.isRegularFile(postgres())
        && Files.isRegularFile(initdb())
        && Files.isRegularFile(catalogue());
  }
}
