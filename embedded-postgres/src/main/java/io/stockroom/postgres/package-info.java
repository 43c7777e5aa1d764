/**
 * Runs the PostgreSQL that comes with the program: unpacks its binaries, owns its data folder,
 * starts, watches and stops it.
 */
@NullMarked
package io.stockroom.postgres;

import org.jspecify.annotations.NullMarked;
