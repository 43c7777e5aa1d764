package io.stockroom.postgres;

import io.stockroom.core.database.StartRefused;

import java.nio.file.Path;

/** Another server holds the data folder. */
public final class FolderInUse extends StartRefused {
  FolderInUse(Path folder, String process) {
    super(
        "The data folder "
            + folder
            + " is in use by another Stockroom server"
            + (process.isEmpty() ? "" : " (process " + process + ")")
            + ". Stop that server, or choose another folder with --data.");
  }
}
