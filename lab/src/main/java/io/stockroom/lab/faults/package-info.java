/**
 * Faults: kill, stall, cut off and fill up real servers and databases while clients write every
 * request to a journal, which an oracle compares with the database; and histories of what clients
 * saw.
 */
@NullMarked
package io.stockroom.lab.faults;

import org.jspecify.annotations.NullMarked;
