package io.stockroom.server.publish;

/**
 * What an application reports of one product.
 *
 * @param at where the report stands in the request
 * @param result {@code published}, {@code failed} or {@code withdrawn}
 */
record PublishResult(String at, int pid, String result, String url, String msg) {}
