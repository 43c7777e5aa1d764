/** The command palette and barcode scans, which work on every page. */
@NullMarked
package io.stockroom.console.search;

import org.jspecify.annotations.NullMarked;
