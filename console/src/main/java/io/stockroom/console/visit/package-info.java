/**
 * What every page of the console stands on: who is visiting, what they may see, in which language
 * and theme, and the files that all pages share.
 */
@NullMarked
package io.stockroom.console.visit;

import org.jspecify.annotations.NullMarked;
