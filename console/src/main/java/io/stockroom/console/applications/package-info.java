/** Applications and access tokens: creation, replacement, revocation. Secrets are shown once. */
@NullMarked
package io.stockroom.console.applications;

import org.jspecify.annotations.NullMarked;
