/**
 * The OpenAPI 3.1 documents of the interface and of the operator API, and the page that shows them.
 */
@NullMarked
package io.stockroom.server.apidocs;

import org.jspecify.annotations.NullMarked;
