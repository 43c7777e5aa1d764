/**
 * Reads requests as the contract has them: headers, forms and JSON bodies. The server, the SDK and
 * the check of captured requests all read with these classes, so that they agree on every limit.
 * Not part of the SDK's API.
 */
@NullMarked
package io.stockroom.protocol.request;

import org.jspecify.annotations.NullMarked;
