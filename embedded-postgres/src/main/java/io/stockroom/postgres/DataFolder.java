package io.stockroom.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The folder with all data of a server: the database, its password and other secrets. Only one
 * server can {@link #hold()} it.
 */
public final class DataFolder implements AutoCloseable {
  static final FileAttribute<?> OWNER_ONLY_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  static final FileAttribute<?> READABLE_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
  static final FileAttribute<?> OWNER_ONLY_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final String LOCK_FILE = "stockroom.lock";
  private static final SecureRandom RANDOM = new SecureRandom();

  // Closing any channel on the file releases the process's lock, so a second instance in this JVM
  // must be rejected before it opens the file.
  private static final Set<Object> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private @Nullable Held held;

  private record Held(Object key, FileChannel channel) {}

  private DataFolder(Path path) {
    this.path = path;
  }

  /** Opens the folder; creates it, readable only by its owner, if it is missing. */
  public static DataFolder open(Path folder) {
    Path absolute = folder.toAbsolutePath();
    if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
      throw new StartException(
          "The data folder " + absolute + " is a file. Choose another folder with --data.");
    }
    try {
      createMissing(absolute);
      Path real = absolute.toRealPath();
      if (!Files.isWritable(real) || !Files.isExecutable(real)) {
        throw new StartException(
            "The data folder "
                + real
                + " cannot be written by the user "
                + System.getProperty("user.name")
                + ". Give that user the right to write there, or choose another folder with"
                + " --data.");
      }
      return new DataFolder(real);
    } catch (IOException e) {
      throw new StartException(
          "The data folder "
              + absolute
              + " cannot be created ("
              + describe(e)
              + "). Create it for the user "
              + System.getProperty("user.name")
              + ", or choose another folder with --data.",
          e);
    }
  }

  public Path path() {
    return path;
  }

  /**
   * Reads the one-line secret in the file; creates it from {@code bytes} random bytes if the file
   * is missing. All processes get the secret that was created first.
   */
  public String secret(String fileName, int bytes) {
    Path file = path.resolve(fileName);
    if (!path.equals(file.getParent()) || bytes < 16) {
      throw new IllegalArgumentException("a plain file name and at least 16 bytes are needed");
    }
    try {
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        createSecret(file, bytes);
      }
      String secret = Files.readString(file).strip();
      if (secret.isEmpty() || secret.lines().count() > 1) {
        throw new StartException(
            "The secret file "
                + file
                + " must contain exactly one line. Restore its former content from a backup, or"
                + " delete the file to have a new secret made.");
      }
      return secret;
    } catch (IOException e) {
      throw new StartException(
          "The secret file " + file + " cannot be read or created (" + describe(e) + ").", e);
    }
  }

  /** Writes a one-line file that only this user can read, in place of an earlier one. */
  public Path write(String fileName, String line) {
    Path file = path.resolve(fileName);
    try {
      Path temporary = temporary(file, line);
      try {
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(temporary);
      }
      return file;
    } catch (IOException e) {
      throw new StartException("The file " + file + " cannot be written (" + describe(e) + ").", e);
    }
  }

  /** Deletes a file, if it exists. */
  public void delete(String fileName) {
    try {
      Files.deleteIfExists(path.resolve(fileName));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String randomText(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** Locks the folder for this instance until it is closed or the process ends. */
  public synchronized void hold() {
    if (held != null) {
      return;
    }
    Object key = key();
    if (!HELD_HERE.add(key)) {
      throw new FolderInUseException(path, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      held = new Held(key, lock());
    } finally {
      if (held == null) {
        HELD_HERE.remove(key);
      }
    }
  }

  /** Lets other accounts traverse the folder without listing it. */
  void letThrough() {
    try {
      Set<PosixFilePermission> permissions = new HashSet<>(Files.getPosixFilePermissions(path));
      if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
        Files.setPosixFilePermissions(path, permissions);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void requireHeld() {
    if (held == null) {
      throw new IllegalStateException("hold the data folder before starting anything in it");
    }
  }

  @Override
  public synchronized void close() {
    if (held == null) {
      return;
    }
    Held released = held;
    held = null;
    try {
      released.channel().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD_HERE.remove(released.key());
    }
  }

  /** Makes a rename in {@code folder} survive a power failure. */
  static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, READ)) {
      channel.force(true);
    }
  }

  /** The reason of a failed file operation; the caller names the file. */
  static String describe(IOException e) {
    return e.getMessage() == null || e.getClass() == IOException.class
        ? String.valueOf(e.getMessage())
        : e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  private static void createMissing(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(folder, OWNER_ONLY_FOLDER);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
  }

  private void createSecret(Path file, int bytes) throws IOException {
    Path temporary = temporary(file, randomText(bytes));
    try {
      publish(temporary, file);
      force(path);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private Path temporary(Path file, String line) throws IOException {
    Path temporary = Files.createTempFile(path, "." + file.getFileName(), ".new", OWNER_ONLY_FILE);
    try (FileChannel channel = FileChannel.open(temporary, WRITE)) {
      channel.write(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)));
      channel.force(true);
      return temporary;
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  // Publishes with a hard link, which never replaces a file: a move could replace a secret that
  // another process has just created.
  private static void publish(Path temporary, Path file) throws IOException {
    try {
      Files.createLink(file, temporary);
    } catch (FileAlreadyExistsException e) {
      return;
    } catch (IOException | UnsupportedOperationException e) {
      Files.move(temporary, file);
    }
  }

  private FileChannel lock() {
    Path file = path.resolve(LOCK_FILE);
    try {
      FileChannel channel = openLockFile(file);
      if (!tryLock(channel)) {
        String holder = readProcess(channel);
        channel.close();
        throw new FolderInUseException(path, holder);
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(UTF_8)), 0);
      return channel;
    } catch (IOException e) {
      throw new StartException(
          "The data folder "
              + path
              + " cannot be locked ("
              + describe(e)
              + "). Choose a folder on a local disk with --data.",
          e);
    }
  }

  private static FileChannel openLockFile(Path file) throws IOException {
    try {
      return FileChannel.open(file, Set.of(CREATE_NEW, READ, WRITE), OWNER_ONLY_FILE);
    } catch (FileAlreadyExistsException e) {
      return FileChannel.open(file, CREATE, READ, WRITE);
    }
  }

  private boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // A copy of this class in another class loader holds the lock. Closing the channel would
      // release it, so it stays open.
      throw new FolderInUseException(path, Long.toString(ProcessHandle.current().pid()));
    }
  }

  private static String readProcess(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(32);
    channel.read(buffer, 0);
    String text = UTF_8.decode(buffer.flip()).toString().strip();
    return text.matches("[0-9]+") ? text : "";
  }

  private Object key() {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return Objects.requireNonNullElse(key, path);
    } catch (IOException e) {
      throw new StartException("The data folder " + path + " is gone (" + describe(e) + ").", e);
    }
  }
}
