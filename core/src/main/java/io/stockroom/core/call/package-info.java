/**
 * What the features and HTTP share: a call and its caller, an endpoint, and the answer. Knows no
 * feature and no HTTP server.
 */
@NullMarked
package io.stockroom.core.call;

import org.jspecify.annotations.NullMarked;
