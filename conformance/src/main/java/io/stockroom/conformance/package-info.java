/**
 * A black-box suite of the interface: rules that any server which claims it must keep, each checked
 * over HTTP alone. Knows nothing of our server.
 */
@NullMarked
package io.stockroom.conformance;

import org.jspecify.annotations.NullMarked;
