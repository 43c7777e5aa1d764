package io.stockroom.protocol.request;

/** How a request names an entry that exists. */
public sealed interface EntryAddress {
  /** By the product's id. */
  record ByPid(int pid, String color, int size) implements EntryAddress {}

  /** By the product's item number. */
  record ByArtNo(String artNo, String color, int size) implements EntryAddress {}

  record ByBarCode(String barCode) implements EntryAddress {}
}
