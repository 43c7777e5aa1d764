package io.stockroom.lab.faults;

import io.stockroom.lab.Laboratory;
import java.util.List;

/**
 * The addresses of the database machines. As root, each one has a network namespace on a bridge of
 * this machine, so that it can be cut off; otherwise all of them share loopback.
 */
final class MemberNetwork {
  private static final int FIRST_HOST = 11;

  private final Laboratory laboratory;
  private final boolean isolated;

  /** Part of the names of interfaces, which have at most 15 characters. */
  private final String name = "sr" + ProcessHandle.current().pid();

  private final String prefix = "10.213.%d.".formatted(ProcessHandle.current().pid() % 250);

  MemberNetwork(Laboratory laboratory, int members) {
    this.laboratory = laboratory;
    this.isolated = Laboratory.isRoot() && Laboratory.has("ip") && add(members);
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

  /** False in a container without the right to change its network. */
  private boolean add(int members) {
    laboratory.onClose(() -> remove(members));
    try {
      run("ip link add %s type bridge", name);
      run("ip address add %s1/24 dev %s", prefix, name);
      run("ip link set %s up", name);
      for (int member = 0; member < members; member++) {
        String cable = cable(member);
        String place = name + "-" + member;
        run("ip netns add %s", place);
        run("ip link add %s type veth peer name eth0 netns %s", cable, place);
        run("ip link set %s master %s up", cable, name);
        run("ip -n %s address add %s%d/24 dev eth0", place, prefix, FIRST_HOST + member);
        run("ip -n %s link set eth0 up", place);
        run("ip -n %s link set lo up", place);
      }
      return true;
    } catch (IllegalStateException notAllowed) {
      laboratory.say("No network namespaces: " + notAllowed.getMessage());
      return false;
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

  /** With a namespace its end of the cable goes, and with that the other end. */
  private void remove(int members) {
    try {
      for (int member = 0; member < members; member++) {
        run("ip netns delete %s-%d", name, member);
      }
      run("ip link delete %s", name);
    } catch (IllegalStateException absent) {
      // it was never made
    }
  }

  private void run(String command, Object... values) {
    var _ = laboratory.processes().run(command.formatted(values).split(" "));
  }
}
