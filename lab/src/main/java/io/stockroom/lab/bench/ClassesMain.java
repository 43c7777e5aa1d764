package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code lab/classes}: counts our classes that one call executes. */
@Command(
    name = "lab/classes",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Counts the classes of Stockroom that a warm server executes for one call of each kind.",
      "A nested class counts as its outer class. Work of other threads is left out:"
          + " only a class that each of several calls executes counts.",
      "All calls are those of one merchant, so its credential is cached, as it is for a busy caller."
    },
    footer = {
      "Examples:",
      "  lab/classes",
      "  lab/classes --list --keep",
      "  lab/classes --max 30,30,33,42"
    })
final class ClassesMain extends Trial {
  private static final List<Operation> CALLS =
      List.of(Operation.STOCK_LIST, Operation.PRODUCT_LIST, Operation.DETAIL, Operation.CREATE_1);
  private static final List<Class<?>> AGENT = List.of(ClassCountAgent.class, ExecutedClasses.class);
  private static final int COUNTED = 40;

  /**
   * More calls per second than the request log samples, so that logging counts for none of them.
   */
  private static final int BETWEEN = 8;

  /** Long enough for a call to reach the counts after its response. */
  private static final Duration SETTLE = Duration.ofMillis(20);

  @Option(names = "--list", description = "List the classes as well.")
  boolean list;

  @Option(
      names = "--max",
      split = ",",
      paramLabel = "N",
      description =
          "Fail if a call executes more classes: one number for each call, in this order.")
  List<Integer> max = List.of();

  private Path portFile = Path.of("");

  public static void main(String[] arguments) {
    main("lab/classes", new ClassesMain(), arguments);
  }

  /** One, so that its credential stays cached between two calls. */
  @Override
  int merchants() {
    return 1;
  }

  @Override
  void check() {
    if (!max.isEmpty() && max.size() != CALLS.size()) {
      throw new BenchException(
          "--max needs %d numbers, one for each call, but has %d."
              .formatted(CALLS.size(), max.size()));
    }
  }

  @Override
  List<String> before(Path folder) throws IOException {
    portFile = folder.resolve("classes.port");
    Path jar = folder.resolve("classes-agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", ClassCountAgent.class.getName());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (Class<?> each : AGENT) {
        add(out, each);
        for (Class<?> nested : each.getDeclaredClasses()) {
          add(out, nested);
        }
      }
    }
    return List.of("env", "STOCKROOM_JAVA_OPTIONS=-javaagent:" + jar + "=" + portFile);
  }

  private static void add(JarOutputStream out, Class<?> each) throws IOException {
    String name = each.getName().replace('.', '/') + ".class";
    try (InputStream bytes = ClassesMain.class.getClassLoader().getResourceAsStream(name)) {
      if (bytes == null) {
        throw new IOException(name + " is not on the class path");
      }
      out.putNextEntry(new JarEntry(name));
      bytes.transferTo(out);
      out.closeEntry();
    }
  }

  @Override
  void tryOut(ServerUnderTest server, Requests requests) throws IOException, InterruptedException {
    Map<Operation, SortedSet<String>> counted = new LinkedHashMap<>();
    for (Operation operation : CALLS) {
      counted.put(operation, count(server, requests.make(operation, COUNTED * BETWEEN)));
    }
    System.out.printf("%-16s %8s%n", "call", "classes");
    counted.forEach((call, names) -> System.out.printf("%-16s %8d%n", call.title(), names.size()));
    if (list) {
      counted.forEach(
          (call, names) -> System.out.printf("%n%s%n  %s%n", call.title(), join(names)));
    }
    requireMax(counted);
  }

  private void requireMax(Map<Operation, SortedSet<String>> counted) {
    for (int i = 0; i < max.size(); i++) {
      SortedSet<String> names = counted.getOrDefault(CALLS.get(i), new TreeSet<>());
      if (names.size() > max.get(i)) {
        throw new BenchException(
            "A %s executes %d classes, at most %d are allowed:%n  %s"
                .formatted(CALLS.get(i).title(), names.size(), max.get(i), join(names)));
      }
    }
  }

  private static String join(SortedSet<String> names) {
    return String.join("\n  ", names);
  }

  private SortedSet<String> count(ServerUnderTest server, List<byte[]> calls)
      throws IOException, InterruptedException {
    SortedSet<String> always = new TreeSet<>();
    try (HttpConnection connection = new HttpConnection(server.port())) {
      for (int i = 0; i < calls.size(); i++) {
        boolean isCounted = (i + 1) % BETWEEN == 0 && i >= calls.size() / 2;
        if (isCounted) {
          Thread.sleep(SETTLE);
          var _ = executed();
        }
        if (!connection.send(calls.get(i))) {
          throw new BenchException("A counted call failed.");
        }
        if (isCounted) {
          Thread.sleep(SETTLE);
          List<String> names = executed();
          if (always.isEmpty()) {
            always.addAll(names);
          }
          always.retainAll(names);
        }
      }
    }
    return always;
  }

  /** The classes executed since the last call. */
  private List<String> executed() throws IOException {
    int port = Integer.parseInt(Files.readString(portFile));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String names = new String(socket.getInputStream().readAllBytes(), UTF_8);
      return new ArrayList<>(names.lines().toList());
    }
  }
}
