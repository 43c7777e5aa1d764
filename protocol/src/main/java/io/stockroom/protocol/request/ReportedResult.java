package io.stockroom.protocol.request;

/**
 * What an application reports of one product.
 *
 * @param at where the report is in the request
 * @param result {@code published}, {@code failed} or {@code withdrawn}
 */
public record ReportedResult(JsonPath at, int pid, String result, String url, String msg) {}
