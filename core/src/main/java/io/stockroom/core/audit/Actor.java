package io.stockroom.core.audit;

import io.stockroom.core.call.Call.Caller;

/**
 * Who changes something.
 *
 * @param name {@code operator}, {@code application} with its appid, {@code person} with the email
 *     address, or {@code anonymous} for somebody who has not signed in
 * @param address where the request came from
 */
public record Actor(String name, String address) {
  public static Actor operator(String address) {
    return new Actor("operator", address);
  }

  public static Actor person(String email, String address) {
    return new Actor("person " + email, address);
  }

  public static Actor anonymous(String address) {
    return new Actor("anonymous", address);
  }

  public static Actor of(Caller caller) {
    return new Actor("application " + caller.appid(), caller.address());
  }
}
