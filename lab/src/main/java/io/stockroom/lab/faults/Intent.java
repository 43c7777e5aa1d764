package io.stockroom.lab.faults;

/**
 * One request that a client intends to send.
 *
 * @param number its number in the journal
 * @param key identifies its rows in the database
 * @param rows the number of rows of the complete request
 */
record Intent(long number, Kind kind, String key, int rows, String body) {}
