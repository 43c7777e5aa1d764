package io.stockroom.conformance;

import java.time.Duration;

/**
 * How one rule came out.
 *
 * @param reason what was expected and what came, or why it was skipped; empty where it holds
 * @param request the request that showed it, without secrets; empty where it holds
 * @param answer what came back; empty where it holds or nothing came
 */
public record Result(
    Rule rule, Outcome outcome, String reason, String request, String answer, Duration took) {}
