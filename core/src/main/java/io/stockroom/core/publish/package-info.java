/** What became of fetched products in the outside stores they were published to. */
@NullMarked
package io.stockroom.core.publish;

import org.jspecify.annotations.NullMarked;
