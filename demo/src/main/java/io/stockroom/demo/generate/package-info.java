/**
 * Generates marketplaces of any size from a seed, directly into the tables: for benchmarks, and for
 * trying a large one.
 */
@NullMarked
package io.stockroom.demo.generate;

import org.jspecify.annotations.NullMarked;
