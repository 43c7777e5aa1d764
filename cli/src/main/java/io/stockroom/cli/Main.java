package io.stockroom.cli;

final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.out.println("hello");
  }
}
