/**
 * What the features and the wire say to each other: a call, who makes it, what it carries, and the
 * answer or the problems that come of it. Knows no feature and no HTTP server.
 */
@NullMarked
package io.stockroom.core.call;

import org.jspecify.annotations.NullMarked;
