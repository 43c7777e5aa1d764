package io.stockroom.demo.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PicturesServletTest {
  private static final String PICTURE = "/pictures/sneaker/2f5d9a/JF7012_1.svg";
  private static final Server SERVER = new Server();
  private static final ServerConnector CONNECTOR = new ServerConnector(SERVER);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    CONNECTOR.setHost(InetAddress.getLoopbackAddress().getHostAddress());
    SERVER.addConnector(CONNECTOR);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(new PicturesServlet()), ProductPicture.FOLDER + "/*");
    SERVER.setHandler(context);
    SERVER.start();
  }

  @AfterAll
  static void stop() throws Exception {
    CLIENT.close();
    SERVER.stop();
  }

  @Test
  void servesPicturesThatAreCachedForeverAndCannotRunScripts() throws Exception {
    HttpResponse<String> answer = send(request(PICTURE));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).startsWith("<svg ").contains("JF7012");
    assertThat(answer.headers().map())
        .containsEntry("content-type", List.of("image/svg+xml;charset=utf-8"))
        .containsEntry("cache-control", List.of("public, max-age=31536000, immutable"))
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry(
            "content-security-policy", List.of("default-src 'none'; style-src 'unsafe-inline'"));
  }

  @Test
  void respondsNotModifiedToACachedPicture() throws Exception {
    String tag = send(request(PICTURE)).headers().firstValue("ETag").orElseThrow();

    HttpResponse<String> known = send(request(PICTURE).header("If-None-Match", tag));
    HttpResponse<String> other = send(request(PICTURE).header("If-None-Match", "\"0\""));

    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
    assertThat(other.statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/pictures",
        "/pictures/",
        "/pictures/sneaker/2f5d9a/JF7012_5.svg",
        "/pictures/sneaker/2f5d9a/%3Cscript%3E_1.svg"
      })
  void rejectsInvalidPathsWithoutRepeatingThem(String path) throws Exception {
    HttpResponse<String> answer = send(request(path));

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("no such picture\n");
  }

  @Test
  void answersHeadWithoutABody() throws Exception {
    HttpResponse<String> answer =
        send(request(PICTURE).method("HEAD", HttpRequest.BodyPublishers.noBody()));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void rejectsOtherMethods() throws Exception {
    HttpResponse<String> answer = send(request(PICTURE).POST(HttpRequest.BodyPublishers.noBody()));

    assertThat(answer.statusCode()).isEqualTo(405);
  }

  private static HttpRequest.Builder request(String path) {
    int port = CONNECTOR.getLocalPort();
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    return HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}
