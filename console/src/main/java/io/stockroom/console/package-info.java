/** The pages for people: how they are wired, and the servlet that answers for them. */
@NullMarked
package io.stockroom.console;

import org.jspecify.annotations.NullMarked;
