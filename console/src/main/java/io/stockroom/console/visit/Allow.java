package io.stockroom.console.visit;

import io.stockroom.console.people.Role;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Allows people with any of these roles to use a page; without roles, everyone who is signed in. A
 * page with neither this annotation nor {@link Anyone} rejects every request.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Allow {
  Role[] value() default {};

  /** Whether people who still have to set up two-step verification may use the page. */
  boolean beforeSecondFactor() default false;
}
