/** The operators' pages: merchants, people, limits and the audit log. */
@NullMarked
package io.stockroom.console.operator;

import org.jspecify.annotations.NullMarked;
