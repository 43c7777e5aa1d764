package io.stockroom.server.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request in the docs with its documented response: two consecutive code blocks marked {@code
 * http}; {@code http given NAME=VALUE} sets a limit of the merchant for that request.
 *
 * @param place the file and the number of the request in it
 * @param given a limit, or empty
 */
record Example(String place, String given, Message request, Message answer) {
  private static final Pattern BLOCK =
      Pattern.compile("^```http *(.*)\n((?s:.*?))^```$", Pattern.MULTILINE);

  /** First line, headers and body of an HTTP message. */
  record Message(String first, Map<String, String> headers, String body) {
    static Message parse(String block) {
      int end = block.indexOf("\n\n");
      String[] head = (end < 0 ? block : block.substring(0, end)).strip().split("\n", -1);
      Map<String, String> headers = new LinkedHashMap<>();
      for (int i = 1; i < head.length; i++) {
        int colon = head[i].indexOf(": ");
        headers.put(head[i].substring(0, colon), head[i].substring(colon + 2));
      }
      return new Message(head[0], headers, end < 0 ? "" : block.substring(end + 2).strip());
    }
  }

  /** All examples of a file, in order. */
  static List<Example> of(Path file) {
    try {
      List<Example> examples = new ArrayList<>();
      Matcher block = BLOCK.matcher(Files.readString(file));
      while (block.find()) {
        String given = block.group(1).replaceFirst("^given ", "").strip();
        Message request = Message.parse(block.group(2));
        String place = file.getFileName() + ", request " + (examples.size() + 1);
        if (!request.first().startsWith("POST ") || !block.find()) {
          throw new IllegalStateException(place + ": a request, then its answer");
        }
        examples.add(new Example(place, given, request, Message.parse(block.group(2))));
      }
      return examples;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return place;
  }
}
