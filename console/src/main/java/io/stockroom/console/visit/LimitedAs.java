package io.stockroom.console.visit;

import io.stockroom.core.admission.CallKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks handlers that wait for something other than the database, such as a slow client. They have
 * a limit of their own instead of that of the pages, so they do not block pages.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface LimitedAs {
  CallKind value();
}
