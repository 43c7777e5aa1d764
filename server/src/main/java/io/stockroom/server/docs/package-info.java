/** Renders the docs as a static site, served under /docs or written to a folder. */
@NullMarked
package io.stockroom.server.docs;

import org.jspecify.annotations.NullMarked;
