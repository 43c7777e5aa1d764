/** The pages about webhooks. */
@NullMarked
package io.stockroom.console.webhooks;

import org.jspecify.annotations.NullMarked;
