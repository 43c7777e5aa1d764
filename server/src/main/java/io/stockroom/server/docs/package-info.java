/** The docs as a site: Markdown in, plain pages out, served under /docs or written to a folder. */
@NullMarked
package io.stockroom.server.docs;

import org.jspecify.annotations.NullMarked;
