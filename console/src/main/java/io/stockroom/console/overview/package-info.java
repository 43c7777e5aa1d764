/** The home page of merchants and operators: what needs a person today. */
@NullMarked
package io.stockroom.console.overview;

import org.jspecify.annotations.NullMarked;
