package io.stockroom.core.settings;

/** An exact fraction such as two thirds, compared without rounding. */
public record Share(int part, int whole) {
  public Share {
    if (whole < 1 || part < 0 || part > whole) {
      throw new IllegalArgumentException("not a share from 0/1 to 1/1");
    }
  }

  public static Share parse(String text) {
    String[] halves = text.split("/", -1);
    if (halves.length != 2) {
      throw new IllegalArgumentException("not a fraction");
    }
    return new Share(Integer.parseInt(halves[0].strip()), Integer.parseInt(halves[1].strip()));
  }

  /** Whether {@code some} of {@code all} is at least this share. */
  public boolean isReachedBy(long some, long all) {
    return some * whole >= all * part;
  }

  @Override
  public String toString() {
    return part + "/" + whole;
  }
}
