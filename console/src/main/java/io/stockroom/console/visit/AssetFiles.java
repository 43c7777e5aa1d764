package io.stockroom.console.visit;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Sends the files of {@link Assets}. */
@Controller
@Anyone
public final class AssetFiles {
  private final Assets assets;

  public AssetFiles(Assets assets) {
    this.assets = assets;
  }

  @GetMapping("/assets/{address}")
  void file(@PathVariable String address, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Assets.Asset asset = assets.find(address);
    if (asset == null) {
      throw PageException.missing();
    }
    String accepted = String.valueOf(request.getHeader("Accept-Encoding"));
    boolean zipped = accepted.contains("gzip");
    byte[] bytes = zipped ? asset.zipped() : asset.bytes();
    response.setContentType(asset.type());
    response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    response.setHeader("Vary", "Accept-Encoding");
    if (zipped) {
      response.setHeader("Content-Encoding", "gzip");
    }
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
