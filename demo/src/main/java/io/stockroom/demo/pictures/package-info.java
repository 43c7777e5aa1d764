/**
 * Draws the product pictures of the demo, so the catalog looks real without shipping or downloading
 * photographs.
 */
@NullMarked
package io.stockroom.demo.pictures;

import org.jspecify.annotations.NullMarked;
