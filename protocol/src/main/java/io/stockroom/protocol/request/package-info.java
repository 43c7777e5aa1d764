/**
 * Reads the headers, forms and JSON bodies of requests. The server, the SDK and the request check
 * all use these classes, so they agree on every limit. Not part of the SDK's API.
 */
@NullMarked
package io.stockroom.protocol.request;

import org.jspecify.annotations.NullMarked;
