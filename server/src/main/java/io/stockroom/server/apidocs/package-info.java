/** The OpenAPI 3.1 documents of the interface and of the admin API, and their viewer. */
@NullMarked
package io.stockroom.server.apidocs;

import org.jspecify.annotations.NullMarked;
