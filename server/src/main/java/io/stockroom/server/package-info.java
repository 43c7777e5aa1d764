@NullMarked
package io.stockroom.server;

import org.jspecify.annotations.NullMarked;
