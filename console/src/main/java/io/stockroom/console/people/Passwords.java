package io.stockroom.console.people;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.jspecify.annotations.Nullable;

/**
 * Hashes passwords with Argon2id. Each hash needs 19 MiB for a moment, so the number of concurrent
 * hashes is limited: a flood of sign-ins waits and cannot exhaust the memory. The pages that hash
 * have a limit of their own, so that few wait here.
 */
public final class Passwords {
  /** Tests that start a server lower it, because they hash often. */
  private static final int MEMORY_KIBIBYTES =
      Integer.getInteger("stockroom.password-memory-kibibytes", 19 * 1024);

  private static final int ITERATIONS = 2;
  private static final int LANES = 1;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int AT_A_TIME = 2;

  /** Platform threads: a hash on a virtual thread would keep a processor from all other calls. */
  private static final ExecutorService THREADS =
      Executors.newFixedThreadPool(
          AT_A_TIME, Thread.ofPlatform().daemon().name("passwords").factory());

  private final SecureRandom random = new SecureRandom();

  /** Compared if the person does not exist, so both cases take the same time. */
  private final String nobody;

  public Passwords() {
    nobody = encoded(new byte[SALT_BYTES], new byte[HASH_BYTES]);
  }

  /** The hash with its parameters and salt, as one string. */
  String hash(String password) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return encoded(salt, argon2(password, salt, MEMORY_KIBIBYTES, ITERATIONS, LANES, HASH_BYTES));
  }

  /** Compares in constant time; a missing hash takes the same time and never matches. */
  boolean matches(String password, @Nullable String stored) {
    String[] parts = (stored == null ? nobody : stored).split("\\$", -1);
    String[] costs = parts[3].split(",", -1);
    byte[] salt = Base64.getDecoder().decode(parts[4]);
    byte[] expected = Base64.getDecoder().decode(parts[5]);
    byte[] found =
        argon2(password, salt, cost(costs[0]), cost(costs[1]), cost(costs[2]), expected.length);
    return MessageDigest.isEqual(expected, found) && stored != null;
  }

  private byte[] argon2(
      String password, byte[] salt, int memory, int iterations, int lanes, int bytes) {
    String same = Normalizer.normalize(cut(password), Normalizer.Form.NFKC);
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(memory)
            .withIterations(iterations)
            .withParallelism(lanes)
            .withSalt(salt)
            .build());
    byte[] hash = new byte[bytes];
    CompletableFuture.runAsync(
            () -> generator.generateBytes(same.getBytes(StandardCharsets.UTF_8), hash), THREADS)
        .join();
    return hash;
  }

  /** Stored passwords are never longer, so the rest is irrelevant. */
  private static String cut(String password) {
    return password.length() > 4 * PasswordRules.MAX_CHARACTERS
        ? password.substring(0, 4 * PasswordRules.MAX_CHARACTERS)
        : password;
  }

  private static String encoded(byte[] salt, byte[] hash) {
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
        .formatted(
            MEMORY_KIBIBYTES,
            ITERATIONS,
            LANES,
            base64.encodeToString(salt),
            base64.encodeToString(hash));
  }

  private static int cost(String part) {
    return Integer.parseInt(part.substring(2));
  }
}
