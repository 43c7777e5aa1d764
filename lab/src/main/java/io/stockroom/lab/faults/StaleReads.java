package io.stockroom.lab.faults;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.concurrent.CompletableFuture;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * A Java agent that takes the wait out of the barrier: calls get what is in memory while their node
 * still asks where the log ends. The checker of reads must notice such a node.
 */
public final class StaleReads implements ClassFileTransformer, CodeTransform {
  private static final String BARRIER = "io/stockroom/core/cache/Barrier";
  private static final ClassDesc OWNER = ClassDesc.ofInternalName(BARRIER);
  private static final MethodTypeDesc VIEW_OF_MERCHANT =
      MethodTypeDesc.of(ClassDesc.of("io.stockroom.core.cache.MerchantView"), ConstantDescs.CD_int);
  private static final MethodTypeDesc FUTURE_OF_MERCHANT =
      MethodTypeDesc.of(ClassDesc.of(CompletableFuture.class.getName()), ConstantDescs.CD_int);

  /** Called by the JVM before the main method. */
  public static void premain(@Nullable String argument, Instrumentation instrumentation) {
    instrumentation.addTransformer(new StaleReads());
  }

  /** The option of a server's JVM; it needs a jar, which is written into {@code folder}. */
  static String javaOption(Path folder) throws IOException {
    Path jar = folder.resolve("stale-reads.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", StaleReads.class.getName());
    String name = StaleReads.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        InputStream bytes = StaleReads.class.getResourceAsStream("StaleReads.class")) {
      if (bytes == null) {
        throw new IOException(name + " is not on the class path");
      }
      out.putNextEntry(new JarEntry(name));
      bytes.transferTo(out);
      out.closeEntry();
    }
    return "-javaagent:" + jar;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (!BARRIER.equals(name)) {
      return null;
    }
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString("pass"), this));
  }

  /** Leaves out what {@code Barrier.pass} does. */
  @Override
  public void accept(CodeBuilder code, CodeElement replaced) {}

  /** {@code submit(merchantId); return last(merchantId);} */
  @Override
  public void atEnd(CodeBuilder code) {
    code.aload(0)
        .iload(1)
        .invokevirtual(OWNER, "submit", FUTURE_OF_MERCHANT)
        .pop()
        .aload(0)
        .iload(1)
        .invokevirtual(OWNER, "last", VIEW_OF_MERCHANT)
        .areturn();
  }
}
