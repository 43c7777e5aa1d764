@NullMarked
package io.stockroom.cli;

import org.jspecify.annotations.NullMarked;
