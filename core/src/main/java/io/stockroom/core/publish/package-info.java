/** Publish results: whether fetched products were published in an external store. */
@NullMarked
package io.stockroom.core.publish;

import org.jspecify.annotations.NullMarked;
