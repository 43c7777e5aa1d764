package io.stockroom.lab.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of the database machines. As root, each one has a network namespace on a bridge of
 * this machine, so that it can be cut off; otherwise all of them share loopback.
 */
final class MemberNetwork {
  private static final int FIRST_HOST = 11;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

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
    boolean possible = Laboratory.isRoot() && Laboratory.has("ip", "-V");
    MemberNetwork network = new MemberNetwork(laboratory.processes(), possible);
    if (possible) {
      laboratory.onClose(() -> network.remove(members));
      network.add(members);
    }
    return network;
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
    run("ip link add %s type bridge", name);
    run("ip address add %s1/24 dev %s", prefix, name);
    run("ip link set %s up", name);
    for (int member = 0; member < members; member++) {
      String cable = cable(member);
      String place = name + "-" + member;
      run("ip netns add %s", place);
      run("ip link add %s type veth peer name eth0 netns %s", cable, place);
      run("ip link set %s master %s up", cable, name);
      run("ip -n %s address add %s/24 dev eth0", place, address(member));
      run("ip -n %s link set eth0 up", place);
      run("ip -n %s link set lo up", place);
    }
  }

  private String cable(int member) {
    return name + "v" + member;
  }

  /** From now on the bridge silently drops what the member sends and what is sent to it. */
  void cut(int member) {
    run("bridge link set dev %s state 0", cable(member));
  }

  void join(int member) {
    run("bridge link set dev %s state 3", cable(member));
  }

  private void remove(int members) {
    List<String> failures = new ArrayList<>();
    for (int member = 0; member < members; member++) {
      // with the namespace its end of the cable goes, and with that the other end
      attempt(failures, "ip netns delete %s-%d", name, member);
    }
    attempt(failures, "ip link delete %s", name);
    if (!failures.isEmpty()) {
      throw new IllegalStateException("network interfaces are left: " + failures);
    }
  }

  /** Retries: the end of the processes in a namespace takes a moment. */
  private void attempt(List<String> failures, String form, Object... values) {
    boolean done =
        Await.within(
            PATIENCE,
            () -> {
              try {
                run(form, values);
                return true;
              } catch (IllegalStateException stillBusy) {
                return false;
              }
            });
    if (!done) {
      failures.add(form.formatted(values));
    }
  }

  private void run(String form, Object... values) {
    processes.run(form.formatted(values).split(" "));
  }
}
