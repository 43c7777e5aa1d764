/** Sign-in and sign-out, one-time links, and a person's own account. */
@NullMarked
package io.stockroom.console.account;

import org.jspecify.annotations.NullMarked;
