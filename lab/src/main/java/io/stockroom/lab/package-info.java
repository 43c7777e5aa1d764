/** What all harnesses share: servers and databases as processes, calls, ports, folders. */
@NullMarked
package io.stockroom.lab;

import org.jspecify.annotations.NullMarked;
