/**
 * Decides which calls the server works on, so that a server with more to do than it can goes on at
 * its full pace and rejects the rest at once (503 with {@code Retry-After}). This is the only place
 * where a call waits for its turn.
 *
 * <p><b>One count for each kind of call.</b> {@link io.stockroom.core.admission.ConcurrencyLimits}
 * holds a {@link io.stockroom.core.admission.ConcurrencyLimit} for each {@link
 * io.stockroom.core.admission.CallKind}. A limit counts the calls inside: those that work, at most
 * as many as the limit, and those that wait. A call is rejected when more are inside than can be
 * done within the longest wait (half a second by default) at the pace of the last calls, or when
 * its token already has half of that room. Once the merchant is known, a merchant may work with at
 * most half of the limit as well.
 *
 * <p><b>One permit for each call.</b> A {@link io.stockroom.core.admission.ConcurrencyLimit.Permit} is a plain
 * value: {@code enter} counts the call in, {@code start} waits for a free slot, {@code close} gives
 * back whatever is held. A slot is held while the server works, never while a client sends or
 * reads.
 *
 * <p><b>As early as possible.</b> {@link io.stockroom.core.admission.AdmissionEndpoint} looks at
 * the first bytes of a request on the thread that watches all connections, before a thread is
 * started for it. Where they are one whole call ({@link io.stockroom.core.admission.RequestHead}),
 * the call enters here, and its permit goes along as an attribute of the request. A rejection then
 * costs no thread and keeps its connection. Every other request enters later, when its body is
 * there, with the same methods.
 *
 * <p><b>What does not wait.</b> The limits leave enough connections for every call with a permit.
 * So the pool of connections fails after half a second, the bound of writing transactions ({@code
 * database.Database}) makes calls of the interface wait only for other writers, and a batched read
 * ({@code database.BatchedRead}) collects callers only while a statement is on its way.
 */
@NullMarked
package io.stockroom.core.admission;

import org.jspecify.annotations.NullMarked;
