/** Tests of the data folder and the embedded PostgreSQL, with real files and real processes. */
@NullMarked
package io.stockroom.core.database;

import org.jspecify.annotations.NullMarked;
