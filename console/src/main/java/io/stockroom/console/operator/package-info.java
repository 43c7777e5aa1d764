/** What operators see of the whole marketplace: merchants, people, limits and the trail. */
@NullMarked
package io.stockroom.console.operator;

import org.jspecify.annotations.NullMarked;
