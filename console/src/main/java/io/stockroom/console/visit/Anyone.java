package io.stockroom.console.visit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Allows people who are not signed in to use a page. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Anyone {
  /**
   * Whether the form of a signed-in person must carry the session's CSRF token. Signing in does
   * not: another tab may have started a new session.
   */
  boolean formToken() default true;

  /**
   * Whether other sites and programs may send the form. Only for forms that use no session, such as
   * the one-click unsubscribe of mail programs.
   */
  boolean otherSites() default false;
}
