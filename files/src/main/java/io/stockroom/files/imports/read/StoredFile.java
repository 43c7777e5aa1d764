package io.stockroom.files.imports.read;

/**
 * An uploaded file and what is known about it.
 *
 * @param guessedEncoding what its bytes suggest; empty if they suggest nothing
 */
public record StoredFile(
    int importId,
    String name,
    long bytes,
    String guessedEncoding,
    ImportOptions options,
    PieceStream.Pieces pieces) {}
