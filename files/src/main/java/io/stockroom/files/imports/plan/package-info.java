/**
 * Plans an import: stages the rows, joins them into products, compares them with the catalog, and
 * reports the result.
 */
@NullMarked
package io.stockroom.files.imports.plan;

import org.jspecify.annotations.NullMarked;
