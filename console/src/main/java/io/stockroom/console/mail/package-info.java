/**
 * Email: a queue in the database, which any node sends from. A mail is queued in the transaction of
 * its cause, so neither exists without the other.
 */
@NullMarked
package io.stockroom.console.mail;

import org.jspecify.annotations.NullMarked;
