/** Every setting: its name, default, check and meaning, and where its value came from. */
@NullMarked
package io.stockroom.core.settings;

import org.jspecify.annotations.NullMarked;
