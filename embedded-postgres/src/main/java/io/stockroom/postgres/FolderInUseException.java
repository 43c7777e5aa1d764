package io.stockroom.postgres;

import io.stockroom.core.database.StartException;
import java.nio.file.Path;

/** Another server holds the data folder. */
public final class FolderInUseException extends StartException {
  FolderInUseException(Path folder, String process) {
    super(
        "The data folder "
            + folder
            + " is in use by another Stockroom server"
            + (process.isEmpty() ? "" : " (process " + process + ")")
            + ". Stop that server, or choose another folder with --data.");
  }
}
