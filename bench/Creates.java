import io.stockroom.protocol.Signature;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates of 1,500 entries (50 products × 6 colours × 5 sizes) over as many connections as asked
 * for; prints requests per second, p50 and p99. A create is unique by its timestamp, which wrk
 * cannot sign anew: hence this driver.
 */
final class Creates {
  private static final AtomicLong TIMESTAMP =
      new AtomicLong(System.currentTimeMillis() / 1000 - 40_000 + ThreadLocalRandom.current().nextInt(30_000));

  public static void main(String[] arguments) throws Exception {
    boolean fresh = arguments[0].equals("new");
    int connections = Integer.parseInt(System.getenv("BENCH_CONNECTIONS"));
    long seconds = Long.parseLong(System.getenv("BENCH_SECONDS"));
    List<String> creators = Files.readAllLines(Path.of(System.getenv("BENCH_CREATORS")));
    ConcurrentLinkedQueue<Long> times = new ConcurrentLinkedQueue<>();
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(seconds);
    try (var executor = Executors.newFixedThreadPool(connections)) {
      for (int i = 0; i < connections; i++) {
        String[] creator = creators.get(i).split(" ");
        executor.submit(
            () -> {
              HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
              while (System.nanoTime() < end) {
                long began = System.nanoTime();
                HttpResponse<String> answer =
                    client.send(request(fresh, creator), HttpResponse.BodyHandlers.ofString());
                if (!answer.body().equals("{\"success\":true,\"msg\":\"\"}")) {
                  System.err.println(answer.statusCode() + " " + answer.body());
                  System.exit(1);
                }
                times.add(System.nanoTime() - began);
              }
              return null;
            });
      }
    }
    double took = (System.nanoTime() - start) / 1e9;
    long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
    System.out.printf(
        "%.2f %.1fms %.1fms%n",
        sorted.length / took, sorted[sorted.length / 2] / 1e6, sorted[sorted.length * 99 / 100] / 1e6);
  }

  private static HttpRequest request(boolean fresh, String[] creator) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int products = Integer.parseInt(System.getenv("BENCH_PRODUCTS"));
    int base = random.nextInt(products / 50) * 50 + 1;
    int quantity = random.nextInt(100_000);
    String name = fresh ? Long.toString(random.nextLong() & Long.MAX_VALUE, 36) : "bench";
    StringBuilder body = new StringBuilder("[");
    for (int product = 0; product < 50; product++) {
      for (int colour = 0; colour < 6; colour++) {
        body.append(body.length() == 1 ? "" : ",")
            .append("{\"color\":\"").append(name).append(colour)
            .append("\",\"pid\":").append(base + product)
            .append(",\"param\":[{\"size\":\"36-40\",\"stock\":").append(quantity).append("}]}");
      }
    }
    String timestamp = Long.toString(TIMESTAMP.getAndIncrement());
    return HttpRequest.newBuilder(URI.create(System.getenv("BENCH_URL") + "/Stock/Creat"))
        .header("appid", creator[0])
        .header("sign", Signature.sign(creator[1], timestamp))
        .header("timestamp", timestamp)
        .header("accesstoken", creator[2])
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body.append("]").toString()))
        .build();
  }
}
