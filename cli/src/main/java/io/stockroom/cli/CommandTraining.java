package io.stockroom.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs commands for an AOT cache: their classes are then loaded and linked before a start. Each
 * gets one fixed response, so neither a server nor a database is needed.
 */
final class CommandTraining {
  private static final List<String> COMMANDS =
      List.of(
          "--help",
          "merchant --help",
          "merchant list",
          "merchant list --json",
          "merchant create --name a --store-url b --store-name c",
          "app list",
          "app create --name a",
          "token list",
          "token issue --app a --merchant 1",
          "person list",
          "cell list",
          "import list",
          "logs tail",
          "audit list");

  private static final String ROW =
      "[{\"merchantId\":1,\"name\":\"a\",\"createdAt\":\"2026-01-01T00:00:00Z\",\"products\":1}]";

  private static final String ANSWER =
      List.of(
              "merchants",
              "applications",
              "tokens",
              "people",
              "cells",
              "imports",
              "calls",
              "entries")
          .stream()
          .map(name -> "\"" + name + "\":" + ROW)
          .collect(Collectors.joining(",", "{", "}"));

  private CommandTraining() {}

  static void run() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> answerAll(server));
      String url = "http://127.0.0.1:" + server.getLocalPort();
      PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
      Shell shell =
          new Shell(
              InputStream.nullInputStream(),
              nowhere,
              nowhere,
              Map.of("STOCKROOM_ADMIN_SERVER", url, "STOCKROOM_OPERATOR_KEY", "key"),
              Path.of(""),
              false,
              false);
      // a command may reject the response: its classes are loaded all the same
      COMMANDS.forEach(command -> Main.run(shell, command.split(" ")));
    } catch (IOException failure) {
      throw CommandException.failed("The training run failed: " + failure.getMessage(), failure);
    }
  }

  private static void answerAll(ServerSocket server) {
    while (true) {
      try (Socket client = server.accept();
          BufferedReader request =
              new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8))) {
        String line = request.readLine();
        while (line != null && !line.isEmpty()) {
          line = request.readLine();
        }
        String answer =
            String.join(
                "\r\n",
                "HTTP/1.1 200 OK",
                "Content-Type: application/json",
                "Connection: close",
                "Content-Length: " + ANSWER.length(),
                "",
                ANSWER);
        client.getOutputStream().write(answer.getBytes(UTF_8));
      } catch (IOException ended) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }
}
