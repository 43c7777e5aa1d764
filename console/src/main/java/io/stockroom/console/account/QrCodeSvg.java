package io.stockroom.console.account;

import io.nayuki.qrcodegen.QrCode;

/**
 * A QR code as one SVG path, so the page needs no script and no external image.
 *
 * @param size of the view box, including the quiet zone
 */
public record QrCodeSvg(int size, String path) {
  /** Scanners need a light margin of four modules. */
  private static final int QUIET_ZONE = 4;

  static QrCodeSvg of(String text) {
    QrCode code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM);
    StringBuilder path = new StringBuilder();
    for (int y = 0; y < code.size; y++) {
      for (int x = 0; x < code.size; x++) {
        if (code.getModule(x, y)) {
          path.append("M%d %dh1v1h-1z".formatted(x + QUIET_ZONE, y + QUIET_ZONE));
        }
      }
    }
    return new QrCodeSvg(code.size + 2 * QUIET_ZONE, path.toString());
  }
}
