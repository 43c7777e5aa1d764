/**
 * Webhooks: sends a merchant's changes to its own addresses, as the Standard Webhooks specification
 * says. {@link io.stockroom.core.webhooks.Webhooks} manages them; {@code WebhookRunner} delivers on
 * any node that holds the lease.
 */
@NullMarked
package io.stockroom.core.webhooks;

import org.jspecify.annotations.NullMarked;
