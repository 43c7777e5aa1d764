import io.stockroom.protocol.Signature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Signs creates ahead of a run: a create is unique by its application, token and timestamp, and wrk
 * has no MD5. Arguments: the file of creators (appid, secret and token on each line), the first
 * timestamp, how many for each creator. Prints appid, token, timestamp and signature.
 */
final class Signatures {
  public static void main(String[] arguments) throws Exception {
    List<String> creators = Files.readAllLines(Path.of(arguments[0]));
    long first = Long.parseLong(arguments[1]);
    int count = Integer.parseInt(arguments[2]);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String timestamp = Long.toString(first + i);
      for (String line : creators) {
        String[] creator = line.split(" ");
        lines.append(creator[0]).append(' ').append(creator[2]).append(' ').append(timestamp)
            .append(' ').append(Signature.sign(creator[1], timestamp)).append('\n');
      }
    }
    System.out.print(lines);
  }
}
