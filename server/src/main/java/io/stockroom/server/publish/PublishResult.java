package io.stockroom.server.publish;

import io.stockroom.server.call.Place;

/**
 * What an application reports of one product.
 *
 * @param at where the report stands in the request
 * @param result {@code published}, {@code failed} or {@code withdrawn}
 */
record PublishResult(Place at, int pid, String result, String url, String msg) {}
