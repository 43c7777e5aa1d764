/** A local copy of a merchant's stock that follows every change and proves that it is equal. */
@NullMarked
package io.stockroom.client.mirror;

import org.jspecify.annotations.NullMarked;
