/**
 * Load shedding: decides which calls the server works on. A server with more calls than it can
 * serve continues at full throughput and rejects the rest immediately (503 with {@code
 * Retry-After}). This is the only place where a call waits in a queue.
 *
 * <p><b>One limit per kind of call.</b> {@link io.stockroom.core.admission.ConcurrencyLimits} holds
 * a {@link io.stockroom.core.admission.ConcurrencyLimit} for each {@link
 * io.stockroom.core.admission.CallKind}. A limit counts the calls inside: the active ones, at most
 * as many as it has slots, and those that wait. It rejects a call if more calls are inside than the
 * server can do within the maximum wait (half a second by default) at the throughput of the last
 * calls, or if the call's token already has half of that room. Once the merchant is known, it also
 * gets at most half of the slots.
 *
 * <p><b>One permit per call.</b> A {@link io.stockroom.core.admission.ConcurrencyLimit.Permit} is a
 * plain value: {@code enter} counts the call, {@code start} waits for a free slot, {@code close}
 * releases whatever the call holds. A call holds a slot while the server works, never while the
 * client sends or reads.
 *
 * <p><b>As early as possible.</b> {@link io.stockroom.core.admission.AdmissionEndpoint} reads the
 * first bytes of a request on Tomcat's poller thread, before a thread is started for it. If they
 * are one complete call ({@link io.stockroom.core.admission.RequestHead}), the call enters here,
 * and its permit travels as an attribute of the request. A rejection then costs no thread and keeps
 * its connection. Every other request enters later, when its body has arrived, with the same
 * methods.
 *
 * <p><b>What does not wait.</b> The limits leave enough connections for every call with a permit.
 * So the connection pool fails after half a second, the bound of writing transactions ({@code
 * database.Database}) makes calls of the interface wait only for other writers, and a batched read
 * ({@code database.BatchedRead}) collects callers only while a statement is running.
 */
@NullMarked
package io.stockroom.core.admission;

import org.jspecify.annotations.NullMarked;
