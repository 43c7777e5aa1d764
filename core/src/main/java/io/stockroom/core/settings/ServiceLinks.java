package io.stockroom.core.settings;

import java.util.regex.Pattern;

/**
 * Variables that Kubernetes and Docker put into every container for a service named {@code
 * stockroom}: {@code STOCKROOM_SERVICE_HOST}, {@code STOCKROOM_PORT=tcp://10.0.0.1:8080} and more.
 * They are not settings of the server, although some look like it.
 */
final class ServiceLinks {
  // a service named stockroom-admin gives STOCKROOM_ADMIN_PORT and the like
  private static final String SERVICE = "STOCKROOM_(?:[A-Z0-9_]+_)?";

  private static final Pattern NAME =
      Pattern.compile(
          SERVICE
              + "(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?"
              + "|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)");
  private static final Pattern PORT = Pattern.compile(SERVICE + "PORT");
  private static final Pattern ADDRESS = Pattern.compile("(?:tcp|udp|sctp)://\\S+:[0-9]+");

  private ServiceLinks() {}

  static boolean isOne(String variable, String value) {
    return NAME.matcher(variable).matches()
        || (PORT.matcher(variable).matches() && ADDRESS.matcher(value).matches());
  }
}
