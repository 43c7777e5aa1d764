package io.stockroom.cli;

import io.stockroom.client.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The stored profiles of this user, in one file in the configuration folder. A file that other
 * users can read is rejected, because it contains secrets.
 */
final class Profiles {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path file;
  private final ObjectNode content;

  private Profiles(Path file, ObjectNode content) {
    this.file = file;
    this.content = content;
  }

  /** The profiles, possibly none; empty if this user has no configuration folder. */
  static Optional<Profiles> find(Shell shell) {
    return folder(shell).map(folder -> read(folder.resolve("profiles.json")));
  }

  /** The profiles, for reading or changing. */
  static Profiles of(Shell shell) {
    return find(shell)
        .orElseThrow(
            () ->
                CommandException.failed(
                    "There is no folder for profiles: set HOME or XDG_CONFIG_HOME."));
  }

  private static Optional<Path> folder(Shell shell) {
    String settings = shell.variable("XDG_CONFIG_HOME");
    if (settings != null && Path.of(settings).isAbsolute()) {
      return Optional.of(Path.of(settings, "stockroom"));
    }
    return Optional.ofNullable(shell.variable("HOME"))
        .map(home -> Path.of(home, ".config", "stockroom"));
  }

  private static Profiles read(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      refuseReadableByOthers(file);
      JsonNode tree = Json.parse(bytes).orElse(null);
      if (!(tree instanceof ObjectNode content)) {
        throw CommandException.failed(
            "%s is damaged. Correct it, or delete it and add the profiles again.".formatted(file));
      }
      return new Profiles(file, content);
    } catch (NoSuchFileException none) {
      return new Profiles(file, Json.object());
    } catch (IOException e) {
      throw CommandException.failed("%s cannot be read. Check its permissions.".formatted(file), e);
    }
  }

  private static void refuseReadableByOthers(Path file) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (!OWNER_ONLY.containsAll(permissions)) {
      throw CommandException.failed(
          "%s contains secrets, but other users can read it (%s). Run: chmod 600 %s"
              .formatted(
                  file, PosixFilePermissions.toString(permissions), Shell.quoted(file.toString())));
    }
  }

  Path file() {
    return file;
  }

  List<Profile> all() {
    return content.path("profiles").properties().stream()
        .map(entry -> profile(entry.getKey(), entry.getValue()))
        .toList();
  }

  Profile get(String name) {
    JsonNode found = content.path("profiles").path(name);
    if (!found.isMissingNode()) {
      return profile(name, found);
    }
    List<String> names = all().stream().map(Profile::name).toList();
    String meant = Suggestion.to(name, names).map("; did you mean '%s'?"::formatted).orElse(".");
    throw CommandException.usage(
        "There is no profile '%s'%s See: stockroom profile list".formatted(name, meant));
  }

  boolean has(String name) {
    return content.path("profiles").has(name);
  }

  /** The default profile; null if there is none. */
  @Nullable Profile current() {
    String name = content.path("current").asString("");
    return has(name) ? profile(name, content.path("profiles").path(name)) : null;
  }

  private static Profile profile(String name, JsonNode stored) {
    return new Profile(
        name,
        stored.path("server").asString(""),
        new Credentials(
            stored.path("appid").asString(""),
            stored.path("secret").asString(""),
            stored.path("token").asString("")));
  }

  /** Stores a profile; the first one becomes the default. */
  void put(Profile profile) {
    ObjectNode profiles =
        content.get("profiles") instanceof ObjectNode known ? known : content.putObject("profiles");
    profiles
        .putObject(profile.name())
        .put("server", profile.server())
        .put("appid", profile.credentials().appid())
        .put("secret", profile.credentials().secret())
        .put("token", profile.credentials().accesstoken());
    if (current() == null) {
      content.put("current", profile.name());
    }
    write();
  }

  void use(String name) {
    content.put("current", get(name).name());
    write();
  }

  void remove(String name) {
    String known = get(name).name();
    if (content.get("profiles") instanceof ObjectNode profiles) {
      profiles.remove(known);
    }
    if (content.path("current").asString("").equals(known)) {
      content.remove("current");
    }
    write();
  }

  /** Writes atomically, and never readable by others. */
  private void write() {
    try {
      Files.createDirectories(
          file.getParent(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path fresh =
          Files.createTempFile(
              file.getParent(),
              "profiles",
              ".new",
              PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      Files.write(fresh, Json.bytes(content));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw CommandException.failed("%s cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }
}
