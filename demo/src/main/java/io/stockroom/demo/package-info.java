/** The demo marketplace: three merchants and their products, generated the same way every time. */
@NullMarked
package io.stockroom.demo;

import org.jspecify.annotations.NullMarked;
