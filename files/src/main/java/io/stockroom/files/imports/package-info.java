/**
 * Imports of products and stock from files, as jobs: storage, queue, lease, quota and the run of
 * one import. {@code read} reads files, {@code plan} compares, {@code write} applies; each uses
 * only the ones before it.
 */
@NullMarked
package io.stockroom.files.imports;

import org.jspecify.annotations.NullMarked;
