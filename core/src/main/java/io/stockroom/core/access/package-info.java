/** Who is calling: applications, their secrets, and the tokens that let them act for merchants. */
@NullMarked
package io.stockroom.core.access;

import org.jspecify.annotations.NullMarked;
