package io.stockroom.console.visit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A page for those who are not signed in, too. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Anyone {
  /**
   * Whether a form of somebody who is signed in must carry the session's token. Signing in need
   * not: another tab may have begun a new session meanwhile.
   */
  boolean formToken() default true;
}
