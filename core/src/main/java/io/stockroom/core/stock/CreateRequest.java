package io.stockroom.core.stock;

import java.util.List;

/**
 * A create request of right form.
 *
 * @param entries every color and size of it, each once
 * @param bodyHash SHA-256 of the body, by which a resent request is recognised
 */
record CreateRequest(List<NewEntry> entries, byte[] bodyHash) {}
