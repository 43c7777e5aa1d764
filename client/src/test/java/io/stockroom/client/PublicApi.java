package io.stockroom.client;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists everything that a program can refer to, one line each, sorted. */
final class PublicApi {
  private PublicApi() {}

  private static final Pattern OURS = Pattern.compile("io\\.stockroom(\\.\\w+)+(\\$\\w+)*");

  /**
   * The public API of the artifact that contains {@code anchor}, {@code others}, and every type of
   * our other artifacts that these name.
   */
  static List<String> of(Class<?> anchor, Class<?>... others) {
    SortedMap<String, List<String>> lines = new TreeMap<>();
    Stream.concat(types(anchor).stream(), Arrays.stream(others))
        .forEach(type -> reach(type, anchor, lines));
    return lines.values().stream().flatMap(List::stream).toList();
  }

  private static void reach(
      Class<?> type, Class<?> anchor, SortedMap<String, List<String>> reached) {
    if (!isVisible(type) || reached.containsKey(type.getName())) {
      return;
    }
    List<String> lines = new ArrayList<>(List.of(header(type)));
    members(type).map(member -> "  " + member).sorted().forEach(lines::add);
    reached.put(type.getName(), lines);
    OURS.matcher(String.join("\n", lines))
        .results()
        .forEach(name -> reach(load(name.group(), anchor), anchor, reached));
  }

  private static List<Class<?>> types(Class<?> anchor) {
    try {
      URI place = anchor.getProtectionDomain().getCodeSource().getLocation().toURI();
      Path path = Path.of(place);
      if (Files.isDirectory(path)) {
        return types(path, anchor);
      }
      try (FileSystem jar = FileSystems.newFileSystem(path, Map.of())) {
        return types(jar.getPath("/"), anchor);
      }
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Class<?>> types(Path root, Class<?> anchor) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .<Class<?>>map(name -> load(name, anchor))
          .toList();
    }
  }

  private static Class<?> load(String name, Class<?> anchor) {
    try {
      return Class.forName(name, false, anchor.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isVisible(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
      if (!Modifier.isPublic(at.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  private static String header(Class<?> type) {
    String kind =
        type.isRecord()
            ? "record"
            : type.isEnum() ? "enum" : type.isInterface() ? "interface" : "class";
    String parents =
        Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass()),
                Arrays.stream(type.getGenericInterfaces()))
            .map(Type::getTypeName)
            .filter(name -> !name.equals("java.lang.Object"))
            .collect(Collectors.joining(", "));
    String sealed = type.isSealed() ? "sealed " : "";
    String modifiers = Modifier.toString(type.getModifiers() & ~Modifier.INTERFACE);
    return deprecated(type)
        + (modifiers + " " + sealed + kind + " " + type.getName())
        + (parents.isEmpty() ? "" : " : " + parents);
  }

  private static Stream<String> members(Class<?> type) {
    return Stream.of(
            Arrays.stream(type.getDeclaredConstructors())
                .filter(PublicApi::isVisible)
                .map(PublicApi::line),
            Arrays.stream(type.getDeclaredMethods())
                .filter(method -> isVisible(method) && !method.isBridge() && !isOfObject(method))
                .map(PublicApi::line),
            Arrays.stream(type.getDeclaredFields())
                .filter(PublicApi::isVisible)
                .map(PublicApi::line))
        .flatMap(lines -> lines);
  }

  /** Every object has these methods. */
  private static boolean isOfObject(Method method) {
    return Arrays.stream(Object.class.getMethods())
        .anyMatch(
            known ->
                known.getName().equals(method.getName())
                    && Arrays.equals(known.getParameterTypes(), method.getParameterTypes()));
  }

  private static boolean isVisible(Member member) {
    return (Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers()))
        && !member.isSynthetic();
  }

  private static String line(Constructor<?> constructor) {
    return deprecated(constructor)
        + ("new(" + parameters(constructor.getParameters()) + ")")
        + thrown(constructor.getGenericExceptionTypes());
  }

  private static String line(Method method) {
    return deprecated(method)
        + (Modifier.isStatic(method.getModifiers()) ? "static " : "")
        + ((Modifier.isAbstract(method.getModifiers()) ? "abstract " : "") + method.getName())
        + ("(" + parameters(method.getParameters()) + ")")
        + (" -> " + method.getGenericReturnType().getTypeName())
        + thrown(method.getGenericExceptionTypes());
  }

  private static String line(Field field) {
    return deprecated(field)
        + (Modifier.toString(field.getModifiers()) + " " + field.getName())
        + (" : " + field.getGenericType().getTypeName());
  }

  private static String parameters(Parameter[] parameters) {
    return Arrays.stream(parameters)
        .map(parameter -> parameter.getParameterizedType().getTypeName())
        .collect(Collectors.joining(", "));
  }

  private static String thrown(Type[] types) {
    return types.length == 0
        ? ""
        : Arrays.stream(types)
            .map(Type::getTypeName)
            .collect(Collectors.joining(", ", " throws ", ""));
  }

  private static String deprecated(AnnotatedElement element) {
    return element.isAnnotationPresent(Deprecated.class) ? "@Deprecated " : "";
  }
}
