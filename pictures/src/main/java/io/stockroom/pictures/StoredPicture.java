package io.stockroom.pictures;

/**
 * A picture that is stored.
 *
 * @param sha256 of the stored bytes, in hexadecimal
 * @param path of its address
 * @param address where browsers and applications find it; product fields hold this
 */
public record StoredPicture(
    String sha256, int width, int height, PictureType type, String path, String address) {}
