/** Applications and access tokens: made, replaced and ended; secrets are shown once. */
@NullMarked
package io.stockroom.console.applications;

import org.jspecify.annotations.NullMarked;
