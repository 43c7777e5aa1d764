/**
 * The marketplace of the demonstration: three merchants and their products, made up by a fixed
 * recipe, so that everyone who starts a demonstration sees the same shop.
 */
@NullMarked
package io.stockroom.demo;

import org.jspecify.annotations.NullMarked;
