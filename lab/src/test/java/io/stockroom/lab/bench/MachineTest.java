package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineTest {
  @TempDir Path proc;

  private Machine machine;

  @BeforeEach
  void processes() throws IOException {
    machine = new Machine(proc);
    Files.writeString(proc.resolve("stat"), "cpu  100 20 300 4000 50 6 7 80 0 0\ncpu0 1 2 3\n");
    process(10, 1, "postgres", 100, 500);
    process(11, 10, "odd) name (", 20, 300);
    process(12, 11, "sh", 3, 200);
    process(99, 1, "other", 1000, 900);
  }

  @Test
  void countsTheWorkOfProcessesWithoutInterrupts() {
    assertThat(machine.total()).isEqualTo(new Machine.Total(100 + 20 + 300 + 80, 4563));
  }

  @Test
  void addsUpAProcessAndItsDescendants() {
    assertThat(machine.process(11)).isEqualTo(new Machine.Times(10, 20 * 4));
    assertThat(machine.ticksOfTree(10)).isEqualTo((100 + 20 + 3) * 4);
    assertThat(machine.bytesOfTree(10)).isEqualTo(1000 * 1024);
    assertThat(machine.residentBytes(99)).isEqualTo(900 * 1024);
  }

  @Test
  void addsUpTheThreadsThatCompile() throws IOException {
    thread(99, 101, "C2 CompilerThre", 7);
    thread(99, 102, "C1 CompilerThre", 2);
    thread(99, 103, "C2 something", 50);
    thread(99, 104, "main", 50);
    assertThat(machine.compilerTicks(99)).isEqualTo((7 + 2) * 4);
    assertThat(machine.compilerShare(99, 16, 2)).isEqualTo(0.1);
    // a thread may have ended
    assertThat(machine.compilerShare(99, 50, 2)).isZero();
  }

  @Test
  void isNoisyWhenOtherProcessesTakeMoreThanATenth() {
    assertThat(othersTake(10).isNoisy()).isFalse();
    assertThat(othersTake(11).isNoisy()).isTrue();
    assertThat(othersTake(11).server()).isEqualTo(0.3);
    assertThat(othersTake(11).others()).isCloseTo(0.11, within(1e-9));
  }

  private static Usage othersTake(long ticks) {
    Usage.Reading start = new Usage.Reading(0, new Machine.Total(0, 0), 0, 0, 0);
    Machine.Total total = new Machine.Total(30 + 20 + 5 + ticks, 100);
    return start.until(new Usage.Reading(1_000_000_000, total, 30, 20, 5));
  }

  private void thread(int pid, int id, String name, int ticks) throws IOException {
    Path folder = Files.createDirectories(proc.resolve(pid + "/task/" + id));
    Files.writeString(folder.resolve("comm"), name + "\n");
    Files.writeString(folder.resolve("stat"), stat(id, name, 1, ticks));
  }

  private static String stat(int pid, String name, int parent, int ticks) {
    String times = (ticks + " ").repeat(4);
    return "%d (%s) S %d 1 1 0 -1 0 0 0 0 0 %s20 0 1 0\n".formatted(pid, name, parent, times);
  }

  private void process(int pid, int parent, String name, int ticks, int kilobytes)
      throws IOException {
    Path folder = Files.createDirectory(proc.resolve("" + pid));
    Files.writeString(folder.resolve("stat"), stat(pid, name, parent, ticks));
    Files.writeString(folder.resolve("status"), "Name:\tx\nVmRSS:\t  %d kB\n".formatted(kilobytes));
    Files.writeString(
        folder.resolve("smaps_rollup"),
        "00 ---p [rollup]\nRss: 1 kB\nPss:  %d kB\n".formatted(kilobytes));
  }
}
