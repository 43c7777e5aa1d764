package io.stockroom.protocol.request;

/**
 * The publish result of one product.
 *
 * @param at its location in the request
 * @param result {@code published}, {@code failed} or {@code withdrawn}
 */
public record ReportedResult(JsonPath at, int pid, String result, String url, String msg) {}
