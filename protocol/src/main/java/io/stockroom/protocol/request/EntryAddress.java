package io.stockroom.protocol.request;

import io.stockroom.protocol.Size;

/** How a request names an entry that exists. */
public sealed interface EntryAddress {
  /** By the product's id. */
  record ByPid(int pid, String color, Size size) implements EntryAddress {}

  /** By the product's item number. */
  record ByArtNo(String artNo, String color, Size size) implements EntryAddress {}

  record ByBarCode(String barCode) implements EntryAddress {}
}
