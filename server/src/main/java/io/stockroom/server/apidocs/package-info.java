/** The document of the API in OpenAPI 3.1, and the page that shows it. */
@NullMarked
package io.stockroom.server.apidocs;

import org.jspecify.annotations.NullMarked;
