/** The Java SDK for developers of merchant applications. */
@NullMarked
package io.stockroom.client;

import org.jspecify.annotations.NullMarked;
