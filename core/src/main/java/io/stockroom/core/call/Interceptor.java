package io.stockroom.core.call;

import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Answers some well-formed requests in place of their endpoint. */
public interface Interceptor {
  /** Leaves every request to its endpoint. */
  Interceptor NONE = (_, _, _) -> null;

  /** Null if the endpoint answers. */
  @Nullable Answer answer(String path, Call call, RequestContent content) throws SQLException;
}
