/**
 * Fault experiments: kill, stall, cut off and fill up real servers and databases while clients
 * write every request to a journal; an oracle compares the journals with the database.
 */
@NullMarked
package io.stockroom.lab.faults;

import org.jspecify.annotations.NullMarked;
