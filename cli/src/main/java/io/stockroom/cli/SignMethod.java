package io.stockroom.cli;

import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The signature method, named as in the header {@code sign-method}. */
enum SignMethod {
  /** The documented signature, over secret and timestamp only. */
  MD5("md5"),

  /** The stronger one, over the whole request. */
  HMAC_SHA256("hmac-sha256");

  private final String word;

  SignMethod(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }

  static CommandOption option(String name, String text) {
    return CommandOption.option(name, "METHOD", text)
        .as(SignMethod.class, new Converter())
        .offers(new Words());
  }

  /** What was given, or the documented method. */
  static SignMethod of(Given given, String name) {
    return given.value(name) instanceof SignMethod method ? method : MD5;
  }

  static final class Converter implements ITypeConverter<SignMethod> {
    @Override
    public SignMethod convert(String text) {
      return Arrays.stream(values())
          .filter(method -> method.word.equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'%s' is not a signature method; use %s"
                          .formatted(
                              text,
                              Arrays.stream(values())
                                  .map(SignMethod::toString)
                                  .collect(Collectors.joining(" or ")))));
    }
  }

  /** The values for completion. */
  static final class Words implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(values()).map(SignMethod::toString).iterator();
    }
  }
}
