/**
 * A black-box test suite for the interface: checks over HTTP the rules that every implementation
 * must follow. It knows nothing about our server.
 */
@NullMarked
package io.stockroom.conformance;

import org.jspecify.annotations.NullMarked;
