package io.stockroom.core.database;

/**
 * How the server logs in to its database.
 *
 * @param server for the pool: it needs to read and write rows
 * @param owner for migrations: it owns the tables; the same where one role does both
 */
public record DatabaseRoles(DatabaseAddress server, DatabaseAddress owner) {}
