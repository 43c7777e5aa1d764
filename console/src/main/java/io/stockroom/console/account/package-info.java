/** Signing in and out, one-time links, and what a person can change about themselves. */
@NullMarked
package io.stockroom.console.account;

import org.jspecify.annotations.NullMarked;
