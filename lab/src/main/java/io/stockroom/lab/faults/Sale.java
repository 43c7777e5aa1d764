package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.HttpCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** 64 clients sell the last pair at the same time: exactly one succeeds. */
final class Sale {
  private static final int CLIENTS = 64;
  private static final Duration SHED_PAUSE = Duration.ofMillis(20);

  /** A product with one entry that nothing else changes. */
  static final String PRODUCT =
      """
      {"artNo":"LAST","title":"Shoe","price":59,"skus":[{"color":"red",\
      "sizes":[{"size":36,"quantity":0,"barCode":"6901234567890"}]}]}
      """;

  private static final String REFILL =
      "[{\"artNo\":\"LAST\",\"color\":\"red\",\"size\":36,\"set\":1}]";
  private static final String SALE = "[{\"barCode\":\"6901234567890\",\"change\":-1}]";

  private final List<Credentials> sellers;
  private final Supplier<String> url;
  private final Report report;

  /** The sellers are different applications, so that one may not use up what the others need. */
  Sale(List<Credentials> sellers, Supplier<String> url, Report report) {
    this.sellers = sellers;
    this.url = url;
    this.report = report;
  }

  void sell(int rounds) throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < rounds; round++) {
        sellOne(clients, round);
      }
    }
    report.counted((long) CLIENTS * rounds, 0);
  }

  private void sellOne(ExecutorService clients, int round) throws Exception {
    Answer refilled = send(0, REFILL);
    if (!refilled.text().contains("\"after\":1}")) {
      report.fault("sale %d: not refilled: %s".formatted(round, refilled.text()));
    }
    List<String> answers = together(clients, CLIENTS, client -> send(client, SALE).text());
    boolean isSold = false;
    for (String text : answers) {
      if (text.startsWith("{\"success\":true") && !isSold) {
        isSold = true;
      } else if (!text.contains("\"STOCK_INSUFFICIENT\"") || !text.contains("\"current\":0}")) {
        report.fault("sale %d: %s".formatted(round, text));
      }
    }
    if (!isSold) {
      report.fault("sale %d: nobody sold".formatted(round));
    }
  }

  /** Lets clients send at the same moment; returns their answers in the order of the clients. */
  private static List<String> together(
      ExecutorService threads, int count, IntFunction<String> client) throws Exception {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      answers.add(
          threads.submit(
              () -> {
                start.await();
                return client.apply(number);
              }));
    }
    List<String> texts = new ArrayList<>();
    for (Future<String> answer : answers) {
      texts.add(answer.get());
    }
    return texts;
  }

  /** Sends a request again while the server sheds load, because that changes nothing. */
  private Answer send(int client, String body) {
    Credentials seller = sellers.get(client % sellers.size());
    while (true) {
      Answer answer = HttpCalls.call(seller, url.get() + "/Stock/Adjust", body);
      if (answer.status() != 503) {
        return answer;
      }
      Await.pause(SHED_PAUSE);
    }
  }
}
