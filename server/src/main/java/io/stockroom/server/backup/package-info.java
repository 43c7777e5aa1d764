/**
 * Backup and restore: all tables of one moment in one file, streamed through SQL alone, so that it
 * works with any PostgreSQL and while servers run.
 */
@NullMarked
package io.stockroom.server.backup;

import org.jspecify.annotations.NullMarked;
