package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretKeysTest {
  @TempDir Path folder;

  private SecretKeys keys;
  private String older;
  private String newer;

  @BeforeEach
  void twoRotationsAddAKeyEach() throws Exception {
    Path file = folder.resolve("secret.key");
    Files.writeString(file, "first\n");
    keys = SecretKeys.ofFile(file);
    older = keys.addNew();
    newer = keys.addNew();
  }

  @Test
  void theFirstToEndKeepsTheNewerKey() {
    keys.forgetOlderThan(older);

    assertThat(keys.read()).containsExactly(newer, older);
  }

  /** An empty file would lose every secret. */
  @Test
  void theLastToEndKeepsTheNewerKeyAlthoughItsOwnIsGone() {
    keys.forgetOlderThan(newer);
    keys.forgetOlderThan(older);

    assertThat(keys.read()).containsExactly(newer);
  }
}
