package io.stockroom.core.call;

import io.stockroom.protocol.request.InvalidRequest;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;

/** A call whose body is a file of any size: it is read as it arrives, after authentication. */
public interface UploadEndpoint<Q> extends Endpoint<Q> {
  /** Answers a well-formed request; the body is decompressed. */
  Answer answer(Call call, Q request, InputStream body)
      throws SQLException, IOException, InvalidRequest;

  /** The call has a body. */
  @Override
  default Answer answer(Call call, Q request) {
    throw new UnsupportedOperationException("it needs its body");
  }
}
