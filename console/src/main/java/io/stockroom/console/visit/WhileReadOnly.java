package io.stockroom.console.visit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Allows a form for people who may change nothing of the merchant: operators who view it, and the
 * people of a suspended or closed merchant. Without this annotation such a form is rejected.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface WhileReadOnly {
  /** Whether an operator who views a merchant may use it, too. */
  boolean viewing() default true;
}
