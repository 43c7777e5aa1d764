package io.stockroom.server.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.catalogue.Descriptions;
import io.stockroom.core.settings.BadSettings;
import io.stockroom.core.settings.Network;
import io.stockroom.core.settings.SettingsReader;
import io.stockroom.files.imports.read.ImportFuzz;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import io.stockroom.protocol.request.IdempotencyKey;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.JsonReader;
import io.stockroom.server.backup.BackupFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Every parser of untrusted input. Each target must parse or reject any bytes, without any other
 * exception.
 */
enum Target {
  SIZE {
    @Override
    void run(byte[] bytes) {
      try {
        Size size = Size.of(text(bytes));
        require(Size.of(size.text()).equals(size), "writes what it reads");
        require(Size.of(size.text()).text().equals(size.text()), "is normal");
      } catch (InvalidValue refused) {
        require(refused.at("size").message(Language.CHINESE).length() > 0, "a message");
      }
    }
  },

  SIZE_RANGE {
    @Override
    void run(byte[] bytes) {
      try {
        SizeRange range = SizeRange.parse(text(bytes));
        int first = range.first().number().orElseThrow();
        int last = range.last().number().orElseThrow();
        require(range.count() <= 100 && first >= 1 && last <= 999, "bounds");
        require(SizeRange.parse(range.text()).equals(range), "writes what it reads");
      } catch (InvalidValue refused) {
        require(refused.at("size").message(Language.CHINESE).length() > 0, "a message");
      }
    }
  },
  SIGNATURE {
    @Override
    void run(byte[] bytes) {
      String text = text(bytes);
      boolean plain = Signature.isWellFormed(text);
      require(!plain || text.length() == 32, "32 characters");
      require(!Signature.isWellFormedHmac(text) || text.length() == 64, "64 characters");
      require(
          !Signature.matches("secret", "1700000000", text) || plain, "only what is well formed");
    }
  },
  TEXT {
    @Override
    void run(byte[] bytes) {
      try {
        String color = Text.color(text(bytes));
        require(Text.color(color).equals(color), "reading twice gives the same");
        require(color.indexOf(0) < 0 && !color.isEmpty(), "storable");
      } catch (InvalidValue refused) {
        require(refused.at("color").message(Language.ENGLISH).length() > 0, "a message");
      }
    }
  },
  LANGUAGE {
    @Override
    void run(byte[] bytes) {
      var _ = Language.choose(text(bytes), Language.ENGLISH);
    }
  },
  FORM {
    @Override
    void run(byte[] bytes) {
      Bodies.form(bytes);
    }
  },
  CREATE {
    @Override
    void run(byte[] bytes) {
      Bodies.create(bytes);
    }
  },
  ADJUST {
    @Override
    void run(byte[] bytes) {
      Bodies.adjust(bytes);
    }
  },
  IDEMPOTENCY_KEY {
    @Override
    void run(byte[] bytes) {
      String sent = text(bytes);
      try {
        String key = IdempotencyKey.read(_ -> List.of(sent));
        require(key.matches("[!-~]{1,64}"), "1 to 64 visible characters");
      } catch (InvalidRequest refused) {
        require(!IdempotencyKey.isWellFormed(sent.strip()), "accepts what is well formed");
      }
    }
  },
  DETAIL {
    @Override
    void run(byte[] bytes) {
      Bodies.detail(bytes);
    }
  },
  PUBLISH {
    @Override
    void run(byte[] bytes) {
      Bodies.publish(bytes);
    }
  },
  HTTP {
    @Override
    void run(byte[] bytes) throws IOException {
      HttpFuzz.send(bytes);
    }
  },
  WEBHOOK {
    @Override
    void run(byte[] bytes) {
      Bodies.webhook(bytes);
    }
  },
  CSV {
    @Override
    void run(byte[] bytes) throws IOException {
      ImportFuzz.read(bytes, "products.csv");
    }
  },
  XLSX {
    @Override
    void run(byte[] bytes) throws IOException {
      ImportFuzz.read(bytes, "products.xlsx");
    }
  },
  JSON_LINES {
    @Override
    void run(byte[] bytes) throws IOException {
      ImportFuzz.read(bytes, "products.jsonl");
    }
  },
  DESCRIPTION {
    @Override
    void run(byte[] bytes) {
      String html = text(bytes);
      try {
        // as an import reads it before sanitizing
        html = Text.block(html, bytes.length + 1);
      } catch (InvalidValue refused) {
        return;
      }
      String clean = Descriptions.clean(html).text();
      String again = Descriptions.clean(clean).text();
      require(Descriptions.clean(again).text().equals(again), "cleaning comes to an end");
      if (clean.indexOf('<') >= 0) {
        String lower = clean.toLowerCase(Locale.ROOT);
        for (String never :
            new String[] {"<script", "<svg", "<iframe", "<style", "<object", "<form"}) {
          require(!lower.contains(never), never);
        }
        require(!lower.matches("(?s).*<[^>]*\\son[a-z]+\\s*=.*"), "no handlers");
        require(
            !lower.matches("(?s).*<[^>]*=\\s*[\"']?\\s*javascript:.*"), "no script in an address");
      }
    }
  },
  BACKUP {
    @Override
    void run(byte[] bytes) throws IOException {
      BackupFuzz.open(bytes);
    }
  },
  SETTINGS {
    @Override
    void run(byte[] bytes) throws IOException {
      Path folder = Files.createTempDirectory("stockroom-fuzz-");
      Path file = folder.resolve("stockroom.yaml");
      try {
        Files.write(file, bytes);
        var _ = SettingsReader.read(folder, Map.of(), Map.of(), _ -> {});
      } catch (BadSettings refused) {
        require(!String.valueOf(refused.getMessage()).isEmpty(), "a message");
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    }
  },
  NETWORK {
    @Override
    void run(byte[] bytes) {
      try {
        Network.parse(text(bytes)).contains("10.1.2.3");
      } catch (IllegalArgumentException refused) {
        // expected
      }
    }
  },
  JSON {
    @Override
    void run(byte[] bytes) {
      try (var parser = JsonReader.parser(bytes)) {
        while (parser.nextToken() != null) {
          var _ = parser.getString();
        }
      } catch (tools.jackson.core.JacksonException refused) {
        require(JsonReader.problem(refused).message(Language.CHINESE).length() > 0, "a message");
      }
    }
  };

  /** Parses or rejects the bytes; any other outcome throws. */
  abstract void run(byte[] bytes) throws IOException;

  /** The name in commands and folders. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String text(byte[] bytes) {
    // invalid UTF-8 is read as Latin-1, like a header
    String text = new String(bytes, UTF_8);
    return text.indexOf('\uFFFD') < 0 ? text : new String(bytes, ISO_8859_1);
  }

  static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
