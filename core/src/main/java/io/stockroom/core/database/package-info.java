/**
 * Where the data lives: the data folder and its lock, the embedded PostgreSQL that Stockroom starts
 * and keeps running in it, the connection pool and the migrations.
 */
@NullMarked
package io.stockroom.core.database;

import org.jspecify.annotations.NullMarked;
