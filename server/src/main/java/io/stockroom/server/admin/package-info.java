/** The admin API under {@code /admin}: merchants, applications, tokens, products. */
@NullMarked
package io.stockroom.server.admin;

import org.jspecify.annotations.NullMarked;
