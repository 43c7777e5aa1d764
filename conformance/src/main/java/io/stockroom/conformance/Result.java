package io.stockroom.conformance;

import java.time.Duration;

/**
 * The result of one rule.
 *
 * @param reason what was expected and what was found, or why it was skipped; empty if it passed
 * @param request the request that failed, without secrets; empty if it passed
 * @param answer the response; empty if it passed or there was none
 */
public record Result(
    Rule rule, Outcome outcome, String reason, String request, String answer, Duration took) {}
