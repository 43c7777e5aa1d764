package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LauncherTest {
  private static final int JAVA_8 = 52;

  @ParameterizedTest
  @CsvSource({"1.8, false", "17, false", "24, false", "25, true", "26, true"})
  void startsOnlyWithANewEnoughJava(String version, boolean isEnough) {
    assertThat(Launcher.isEnough(version)).isEqualTo(isEnough);
  }

  @Test
  void anOldJavaCanLoadTheLauncher() throws Exception {
    try (InputStream file = Launcher.class.getResourceAsStream("Launcher.class")) {
      byte[] bytes = Objects.requireNonNull(file).readAllBytes();

      assertThat(bytes[7]).isEqualTo((byte) JAVA_8);
    }
  }

  @Test
  void aFullHeapIsDumpedToTheDataFolderUnlessAnOptionNamesAnother(@TempDir Path folder) {
    var jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    String before = jvm.getVMOption("HeapDumpPath").getValue();
    try {
      jvm.setVMOption("HeapDumpPath", "");
      ServerProcess.dumpHeapTo(folder);
      ServerProcess.dumpHeapTo(folder.resolve("other"));

      assertThat(jvm.getVMOption("HeapDumpPath").getValue())
          .isEqualTo(folder.resolve("out-of-memory.hprof").toString());
    } finally {
      jvm.setVMOption("HeapDumpPath", before);
    }
  }
}
