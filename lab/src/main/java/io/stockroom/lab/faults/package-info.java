/**
 * Fault experiments: real servers and databases are killed, stalled, cut off and filled up while
 * clients journal every request, and an oracle compares the journals with the database.
 */
@NullMarked
package io.stockroom.lab.faults;

import org.jspecify.annotations.NullMarked;
