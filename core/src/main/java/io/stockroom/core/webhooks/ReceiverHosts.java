package io.stockroom.core.webhooks;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Looks up the hosts of receivers. The HTTP client connects to the addresses that this returns and
 * to no others, so a DNS server cannot give one answer to the check and another to the connection.
 */
final class ReceiverHosts implements DnsResolver, AutoCloseable {
  private static final int MAX_SECONDS = 5;

  /** A host may have thousands of addresses that do not respond. */
  private static final int MAX_TRIED = 4;

  /** Asks DNS. */
  interface Lookup {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  private final Lookup lookup;
  private final boolean allowPrivate;

  /** A lookup cannot be interrupted, so a thread of its own waits for a DNS server that hangs. */
  private final ExecutorService lookups =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("webhook-lookup-", 1).factory());

  /**
   * @param allowPrivate accepts every address
   */
  ReceiverHosts(Lookup lookup, boolean allowPrivate) {
    this.lookup = lookup;
    this.allowPrivate = allowPrivate;
  }

  /**
   * The first addresses of the host; throws the same for an unknown host and for one with an
   * address that is not public.
   */
  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] addresses = timed(host);
    if (addresses.length == 0) {
      throw new UnknownHostException(host);
    }
    for (InetAddress address : addresses) {
      if (!allowPrivate && !PublicAddresses.isPublic(address)) {
        throw new UnknownHostException(host);
      }
    }
    return Arrays.copyOf(addresses, Math.min(addresses.length, MAX_TRIED));
  }

  private InetAddress[] timed(String host) throws UnknownHostException {
    Future<InetAddress[]> found = lookups.submit(() -> lookup.addresses(host));
    try {
      return found.get(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException failed) {
      throw new UnknownHostException(host);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    }
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  @Override
  public void close() {
    lookups.shutdownNow();
  }
}
