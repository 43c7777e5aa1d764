package io.stockroom.core.settings;

import static io.stockroom.core.settings.SettingTypes.integer;
import static io.stockroom.core.settings.SettingTypes.secret;
import static io.stockroom.core.settings.SettingTypes.setting;
import static io.stockroom.core.settings.SettingTypes.text;

import java.util.ArrayList;
import java.util.List;

/** The settings of the merchants' pictures, and of the store that they lie in. */
public final class PictureSettings {
  public static final Setting<Long> MAX_BYTES =
      size("pictures.max-bytes", "10MiB", "Maximum size of a picture.");
  public static final Setting<Integer> MAX_MEGAPIXELS =
      integer(
          "pictures.max-megapixels",
          "50",
          1,
          400,
          "Maximum megapixels of a picture. Decoding needs 4 MB of memory for each.");
  public static final Setting<Long> QUOTA =
      size(
          "pictures.quota",
          "2GiB",
          "Maximum size of all stored pictures of a merchant, with their thumbnails.");
  public static final Setting<String> BASE_URL =
      setting(
          "pictures.base-url",
          "",
          "an http:// or https:// URL",
          "Public URL of this server for pictures, if they have a host name of their own; empty:"
              + " base-url.",
          PictureSettings::url);
  public static final Setting<Boolean> IN_S3 =
      setting(
          "pictures.store",
          "database",
          "database or s3",
          "Where new pictures are stored: in the merchant's database, or in an S3-compatible store.",
          PictureSettings::isS3);
  public static final Setting<String> S3_ENDPOINT =
      setting(
          "pictures.s3.endpoint",
          "",
          "an http:// or https:// URL",
          "URL of the S3-compatible store, such as https://s3.eu-central-1.amazonaws.com.",
          PictureSettings::url);
  public static final Setting<String> S3_REGION =
      text("pictures.s3.region", "us-east-1", "Region of the bucket.");
  public static final Setting<String> S3_BUCKET =
      text("pictures.s3.bucket", "", "Bucket for the pictures; it must exist.");
  public static final Setting<String> S3_ACCESS_KEY =
      text("pictures.s3.access-key", "", "Access key of the S3-compatible store.");
  public static final Setting<String> S3_SECRET_KEY =
      secret("pictures.s3.secret-key", "Secret key of that access key.");
  public static final Setting<String> S3_PUBLIC_URL =
      setting(
          "pictures.s3.public-url",
          "",
          "an http:// or https:// URL",
          "Public URL of the bucket, such as a CDN. Pictures in the bucket are redirected there;"
              + " empty: this server sends them.",
          PictureSettings::url);

  static final List<Setting<?>> ALL =
      List.of(
          MAX_BYTES,
          MAX_MEGAPIXELS,
          QUOTA,
          BASE_URL,
          IN_S3,
          S3_ENDPOINT,
          S3_REGION,
          S3_BUCKET,
          S3_ACCESS_KEY,
          S3_SECRET_KEY,
          S3_PUBLIC_URL);

  private PictureSettings() {}

  private static Setting<Long> size(String name, String standard, String meaning) {
    return setting(
        name, standard, "a size from 1B to 64GiB, such as 500MB or 4GiB", meaning, FileSize::parse);
  }

  private static boolean isS3(String text) {
    return switch (text.strip()) {
      case "database" -> false;
      case "s3" -> true;
      default -> throw new IllegalArgumentException("unknown choice");
    };
  }

  private static String url(String text) {
    String stripped = text.strip().replaceAll("/+$", "");
    if (!stripped.matches("|https?://[^\\s/?#@]+(/[^\\s?#]*)?")) {
      throw new IllegalArgumentException("no URL");
    }
    return stripped;
  }

  /** What is wrong with the settings of pictures together. */
  static List<String> problems(Settings settings) {
    List<String> problems = new ArrayList<>();
    if (settings.get(IN_S3)) {
      for (Setting<String> needed : List.of(S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY)) {
        if (settings.get(needed).isEmpty()) {
          problems.add(needed.name() + " is empty: pictures.store=s3 needs it.");
        }
      }
    }
    return problems;
  }
}
