package io.stockroom.lab.faults;

import java.io.UncheckedIOException;
import java.util.List;

/**
 * The addresses of the database machines. As root, each one has a network namespace on a bridge of
 * this machine, so that it can be cut off; otherwise all of them share loopback.
 */
final class MemberNetwork {
  private static final int FIRST_HOST = 11;

  private final Processes processes;
  private final boolean isolated;

  /** Part of the names of interfaces, which have at most 15 characters. */
  private final String name = "sr" + ProcessHandle.current().pid();

  private final String prefix = "10.213.%d.".formatted(ProcessHandle.current().pid() % 250);

  private MemberNetwork(Processes processes, boolean isolated) {
    this.processes = processes;
    this.isolated = isolated;
  }

  static MemberNetwork make(Laboratory laboratory, int members) {
    if (Laboratory.isRoot()) {
      MemberNetwork network = new MemberNetwork(laboratory.processes(), true);
      try {
        network.add(members);
        laboratory.onClose(() -> network.remove(members));
        return network;
      } catch (IllegalStateException | UncheckedIOException notAllowed) {
        // as in a container without the right to change its network
        laboratory.say("No network namespaces: " + notAllowed.getMessage());
        network.removeWhatIsThere(members);
      }
    }
    return new MemberNetwork(laboratory.processes(), false);
  }

  /** Whether a member can be cut off. */
  boolean isIsolated() {
    return isolated;
  }

  /** The address of this machine that all members reach. */
  String hub() {
    return isolated ? prefix + 1 : "127.0.0.1";
  }

  String address(int member) {
    return isolated ? prefix + (FIRST_HOST + member) : "127.0.0.1";
  }

  /** The beginning of a command that runs on a member. */
  List<String> on(int member) {
    return isolated ? List.of("ip", "netns", "exec", name + "-" + member) : List.of();
  }

  private void add(int members) {
    run("ip", "link", "add", name, "type", "bridge");
    run("ip", "address", "add", prefix + "1/24", "dev", name);
    run("ip", "link", "set", name, "up");
    for (int member = 0; member < members; member++) {
      String cable = cable(member);
      String place = name + "-" + member;
      run("ip", "netns", "add", place);
      run("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", place);
      run("ip", "link", "set", cable, "master", name, "up");
      run("ip", "-n", place, "address", "add", address(member) + "/24", "dev", "eth0");
      run("ip", "-n", place, "link", "set", "eth0", "up");
      run("ip", "-n", place, "link", "set", "lo", "up");
    }
  }

  private String cable(int member) {
    return name + "v" + member;
  }

  /** From now on the bridge silently drops what the member sends and what is sent to it. */
  void cut(int member) {
    run("bridge", "link", "set", "dev", cable(member), "state", "0");
  }

  void join(int member) {
    run("bridge", "link", "set", "dev", cable(member), "state", "3");
  }

  /** With a namespace its end of the cable goes, and with that the other end. */
  private void remove(int members) {
    for (int member = 0; member < members; member++) {
      run("ip", "netns", "delete", name + "-" + member);
    }
    run("ip", "link", "delete", name);
  }

  /** After a creation that failed midway. */
  private void removeWhatIsThere(int members) {
    for (int member = 0; member < members; member++) {
      attempt("ip", "netns", "delete", name + "-" + member);
      attempt("ip", "link", "delete", cable(member));
    }
    attempt("ip", "link", "delete", name);
  }

  private void attempt(String... command) {
    try {
      run(command);
    } catch (IllegalStateException | UncheckedIOException absent) {
      // it was not created, or "ip" is not installed
    }
  }

  private void run(String... command) {
    processes.run(command);
  }
}
