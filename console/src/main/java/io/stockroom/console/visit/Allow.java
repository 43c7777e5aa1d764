package io.stockroom.console.visit;

import io.stockroom.console.people.Role;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which people may use a page: those with any of the roles; where none is named, everybody who is
 * signed in. A page that says neither this nor {@link Anyone} answers nobody.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Allow {
  Role[] value() default {};

  /** Whether people may use it who must set up two-step verification and have not done so yet. */
  boolean beforeSecondFactor() default false;
}
