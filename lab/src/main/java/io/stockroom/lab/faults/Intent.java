package io.stockroom.lab.faults;

/**
 * One request as a client means it.
 *
 * @param number counts the requests of one journal
 * @param key by what its rows are found in the database
 * @param rows how many rows make it whole
 * @param timestamp the second it is signed with; a create is known by it
 */
record Intent(long number, Kind kind, String key, int rows, long timestamp, String body) {}
