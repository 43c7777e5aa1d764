/**
 * Load shedding: decides which calls the server works on. Under overload, the server keeps its full
 * throughput and rejects the other calls immediately (503 with {@code Retry-After}). This is the
 * only place where a call waits in a queue.
 *
 * <p><b>One limit per kind of call.</b> {@link io.stockroom.core.admission.ConcurrencyLimits} holds
 * a {@link io.stockroom.core.admission.ConcurrencyLimit} for each {@link
 * io.stockroom.core.admission.CallKind}. A limit counts the calls inside: active calls, at most one
 * per slot, and waiting calls. It has room for as many as the server can finish within the maximum
 * wait (half a second by default), judged by the throughput of the last calls.
 *
 * <p><b>A share for everybody.</b> One merchant gets at most half of the slots and of the room. In
 * the console, one person gets at most half, and the people of one merchant three quarters; whoever
 * is not signed in is counted by address. What waits for a client or a receiver, and sign-ins, have
 * kinds of their own, so they never use up the pages.
 *
 * <p><b>One permit per call.</b> {@code enter} gives a call its {@link
 * io.stockroom.core.admission.ConcurrencyLimit.Permit} as soon as its body has arrived, before a
 * thread starts for it: a rejection needs none. {@code acquire} waits for a slot when the caller is
 * known, and {@code close} releases whatever the call holds. A call holds its slot while the server
 * works, but not while the client sends or reads.
 *
 * <p><b>No other queue.</b> The limits leave enough connections for every call with a permit.
 * Therefore the connection pool fails after half a second; calls of the interface wait at the bound
 * of writing transactions ({@code database.Database}) only for other writers; and batched reads
 * ({@code database.BatchedRead}) collect callers only while a statement runs.
 */
@NullMarked
package io.stockroom.core.admission;

import org.jspecify.annotations.NullMarked;
