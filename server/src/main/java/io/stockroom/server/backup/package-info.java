/**
 * Backup and restore: a snapshot of all tables in one file. Uses only SQL, so it works with any
 * PostgreSQL and while servers run.
 */
@NullMarked
package io.stockroom.server.backup;

import org.jspecify.annotations.NullMarked;
