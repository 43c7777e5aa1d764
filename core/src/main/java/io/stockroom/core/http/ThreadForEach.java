package io.stockroom.core.http;

import java.util.concurrent.ThreadFactory;
import org.eclipse.jetty.http.pathmap.PathMappings;
import org.eclipse.jetty.http.pathmap.ServletPathSpec;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Starts a thread for each request to a servlet, because servlets wait. */
final class ThreadForEach extends Handler.Wrapper {
  private final ThreadFactory threads;
  private final PathMappings<String> paths = new PathMappings<>();

  ThreadForEach(ThreadFactory threads, Handler handler) {
    super(handler);
    this.threads = threads;
  }

  void add(String path) {
    paths.put(new ServletPathSpec(path), path);
  }

  /** Leaves the paths that no servlet has to the next handler. */
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    if (paths.getMatched(Request.getPathInContext(request)) == null) {
      return false;
    }
    threads.newThread(() -> serve(request, response, callback)).start();
    return true;
  }

  private void serve(Request request, Response response, Callback callback) {
    try {
      if (!super.handle(request, response, callback)) {
        Response.writeError(request, response, callback, 404);
      }
    } catch (Exception | Error failure) {
      Response.writeError(request, response, callback, failure);
    }
  }

  /** What waits does so on the new thread. */
  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }
}
