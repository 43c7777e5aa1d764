package io.stockroom.server.access;

/** The four authentication headers of a request, right in form and not yet believed. */
public record Claim(String appid, String sign, String timestamp, String accesstoken) {
  /** Keeps the token out of logs. */
  @Override
  public String toString() {
    return "Claim[appid=" + appid + ", timestamp=" + timestamp + "]";
  }
}
