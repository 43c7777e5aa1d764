/**
 * Marketplaces of any size, made up from a seed and copied straight into the tables: for measuring,
 * and for trying how a large one feels.
 */
@NullMarked
package io.stockroom.demo.generate;

import org.jspecify.annotations.NullMarked;
