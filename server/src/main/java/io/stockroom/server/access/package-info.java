/** Who is calling: applications, their secrets, and the tokens that let them act for merchants. */
@NullMarked
package io.stockroom.server.access;

import org.jspecify.annotations.NullMarked;
