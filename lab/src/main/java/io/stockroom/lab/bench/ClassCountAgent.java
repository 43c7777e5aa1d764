package io.stockroom.lab.bench;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * A Java agent that makes every Stockroom method report to {@link ExecutedClasses} when it starts.
 */
public final class ClassCountAgent implements ClassFileTransformer {
  private static final String OURS = "io/stockroom/";
  private static final String HARNESS = "io/stockroom/lab/";
  private static final ClassDesc COLLECTOR = ClassDesc.of(ExecutedClasses.class.getName());
  private static final MethodTypeDesc ENTER =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

  /**
   * Called by the JVM before the main method.
   *
   * @param portFile the file to write the port to, from which the executed classes can be read
   */
  public static void premain(String portFile, Instrumentation instrumentation) throws IOException {
    ExecutedClasses.serve(Path.of(portFile));
    instrumentation.addTransformer(new ClassCountAgent());
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (loader == null || name == null || !name.startsWith(OURS) || name.startsWith(HARNESS)) {
      return null;
    }
    try {
      ClassFile file =
          ClassFile.of(
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(loader)
                      .orElse(ClassHierarchyResolver.defaultResolver())));
      return file.transformClass(
          file.parse(bytes), ClassTransform.transformingMethodBodies(new Enter(outer(name))));
    } catch (RuntimeException failure) {
      // the JVM would silently load the class unchanged
      System.err.println("The class " + name + " is not counted: " + failure);
      return null;
    }
  }

  /** A nested class counts as its outer class. */
  static String outer(String name) {
    int nested = name.indexOf('$');
    return (nested < 0 ? name : name.substring(0, nested)).replace('/', '.');
  }

  /** Adds the call before the first instruction. */
  private record Enter(String name) implements CodeTransform {
    @Override
    public void atStart(CodeBuilder builder) {
      builder.loadConstant(name).invokestatic(COLLECTOR, "enter", ENTER);
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      builder.with(element);
    }
  }
}
