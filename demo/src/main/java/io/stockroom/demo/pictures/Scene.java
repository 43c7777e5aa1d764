package io.stockroom.demo.pictures;

import java.util.List;

/** The arrangements of shoes on the background of a picture. */
final class Scene {
  private Scene() {}

  static String page(Tone tone, String definitions, String scene, String itemNumber) {
    Tone backdrop = backdrop(tone);
    return """
    <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 800 800' width='800' height='800'>\
    <style>\
    .stitch,.seam,.rib,.groove,.lace,.shine{fill:none;stroke-linecap:round;stroke-linejoin:round}\
    .stitch{stroke-width:1.8;stroke-dasharray:5 4.5;opacity:.7}\
    .seam{stroke:#000;stroke-opacity:.32;stroke-width:2}\
    .rib{stroke:#fff;stroke-opacity:.14;stroke-width:3}\
    .groove{stroke:#000;stroke-opacity:.13;stroke-width:2.4}\
    .lace{stroke:#f6f4f0;stroke-width:10;filter:url(#thread)}\
    .shine{stroke:#fff;stroke-opacity:.36;stroke-width:13;filter:url(#soft)}\
    .shade{fill:#000;fill-opacity:.2;filter:url(#soft)}\
    text{font:500 17px 'Helvetica Neue',Arial,sans-serif;letter-spacing:2px;fill:#3d4046;\
    fill-opacity:.55}\
    </style><defs>\
    <radialGradient id='backdrop' cx='.5' cy='.42' r='.75'>\
    <stop stop-color='%s'/><stop offset='1' stop-color='%s'/></radialGradient>\
    <linearGradient id='floor' x1='0' y1='0' x2='0' y2='1'>\
    <stop stop-color='#000' stop-opacity='0'/><stop offset='.3' stop-color='#000' stop-opacity='.07'/>\
    <stop offset='1' stop-color='#000' stop-opacity='0'/>\
    </linearGradient>\
    <radialGradient id='shadow'><stop stop-color='#1b1d22' stop-opacity='.5'/>\
    <stop offset='.55' stop-color='#1b1d22' stop-opacity='.2'/>\
    <stop offset='1' stop-color='#1b1d22' stop-opacity='0'/></radialGradient>\
    <linearGradient id='sole' x1='0' y1='0' x2='0' y2='1'><stop stop-color='#fffefb'/>\
    <stop offset='1' stop-color='#dcd8d0'/></linearGradient>\
    <linearGradient id='footbed' x1='0' y1='0' x2='0' y2='1'><stop stop-color='#dcc3a3'/>\
    <stop offset='1' stop-color='#b99770'/></linearGradient>\
    <linearGradient id='metal' x1='0' y1='0' x2='1' y2='1'><stop stop-color='#fbf1cf'/>\
    <stop offset='.5' stop-color='#cfa95c'/><stop offset='1' stop-color='#8d6a2b'/></linearGradient>\
    <filter id='soft' x='-20%%' y='-20%%' width='140%%' height='140%%'>\
    <feGaussianBlur stdDeviation='9'/></filter>\
    <filter id='thread' x='-20%%' y='-20%%' width='140%%' height='140%%'>\
    <feDropShadow dx='0' dy='3' stdDeviation='1.6' flood-opacity='.4'/></filter>\
    %s</defs>\
    <rect width='800' height='800' fill='url(#backdrop)'/>%s\
    <text x='760' y='764' text-anchor='end'>%s</text></svg>
    """
        .formatted(backdrop.lighter(0.62).css(), backdrop.css(), definitions, scene, itemNumber);
  }

  static String side(Shoe shoe) {
    return moved(400 - shoe.silhouette().middle(), floor(556) + standing(shoe));
  }

  static String pair(Shoe shoe) {
    double middle = (0.84 * shoe.silhouette().top + 650) / 2;
    return moved(
        392 - middle,
        floor(450)
            + "<g transform='translate(766 -8) scale(-.84 .84)'>%s</g>".formatted(standing(shoe))
            + "<g transform='translate(-6 94) scale(.92)'>%s</g>".formatted(standing(shoe)));
  }

  static String sole(Shoe shoe) {
    Tread tread = shoe.silhouette().tread;
    Tone rubber = shoe.rubber();
    Tone tone = shoe.tone();
    return """
    <defs><pattern id='tread' width='40' height='40' patternUnits='userSpaceOnUse'>\
    <path fill='none' stroke='%s' stroke-width='%s' stroke-linecap='round' d='%s'/></pattern>\
    <clipPath id='outline'><path d='%s'/></clipPath>\
    <g id='underside'><path fill='%s' d='%s'/>\
    <g transform='scale(.93 .96)' clip-path='url(#outline)'>\
    <rect x='-120' y='-290' width='240' height='580' fill='%s'/>\
    <rect x='-120' y='-290' width='240' height='580' fill='url(#tread)'/>\
    <path fill='%s' d='%s'/></g>\
    <ellipse cy='-6' rx='26' ry='13' fill='%s'/>\
    <ellipse cy='-6' rx='26' ry='13' fill='none' stroke='%s' stroke-width='2'/></g></defs>\
    %s%s<use href='#underside' transform='translate(268 400) rotate(-7)'/>\
    <use href='#underside' transform='translate(532 400) rotate(7) scale(-1 1)'/>"""
        .formatted(
            rubber.lighter(0.34).css(),
            tread.strokeWidth,
            tread.tile,
            tread.outline,
            rubber.darker(0.35).css(),
            tread.outline,
            rubber.lighter(0.1).css(),
            tone.css(),
            tread.heel,
            tone.css(),
            tone.lighter(0.4).css(),
            shadow(276, 424, 126, 290),
            shadow(540, 424, 126, 290));
  }

  /** Cards in two columns; the first of an odd number, and each of two, spans both columns. */
  static String colors(List<Shoe> shoes) {
    boolean single = shoes.size() == 2;
    int rows = single ? 2 : (shoes.size() + 1) / 2;
    int height = (676 - 24 * (rows - 1)) / rows;
    StringBuilder scene = new StringBuilder();
    int cell = 0;
    for (Shoe shoe : shoes) {
      boolean wide = single || (shoes.size() % 2 == 1 && cell == 0);
      int x = 40 + cell % 2 * 372;
      int y = 40 + cell / 2 * (height + 24);
      scene.append(card(shoe, x, y, wide ? 720 : 348, height));
      cell += wide ? 2 : 1;
    }
    return scene.toString();
  }

  private static String card(Shoe shoe, int x, int y, int width, int height) {
    Silhouette silhouette = shoe.silhouette();
    double scale = Math.min(width / 700.0, height / (Silhouette.GROUND - silhouette.top + 90.0));
    return """
    <rect x='%s' y='%s' width='%s' height='%s' rx='22' fill='#fff' fill-opacity='.62'/>\
    <circle cx='%s' cy='%s' r='13' fill='%s' stroke='#000' stroke-opacity='.16' stroke-width='2'/>\
    <g transform='translate(%s %s) scale(%s)'>%s</g>"""
        .formatted(
            x,
            y,
            width,
            height,
            x + 32,
            y + 32,
            shoe.tone().css(),
            x + width / 2 - 400 * scale,
            y + height / 2 - silhouette.middle() * scale,
            scale,
            standing(shoe));
  }

  private static String standing(Shoe shoe) {
    return shadow(400, Silhouette.GROUND - 2, 330, 26) + shoe.placed();
  }

  private static String moved(double down, String scene) {
    return "<g transform='translate(0 %s)'>%s</g>".formatted(down, scene);
  }

  /** A soft shade of the product's hue; darker behind light shoes. */
  private static Tone backdrop(Tone tone) {
    Tone neutral = tone.brightness() > 0.72 ? new Tone(196, 202, 211) : new Tone(226, 227, 229);
    return neutral.mix(tone, 0.1);
  }

  private static String floor(int y) {
    return "<rect y='%s' width='800' height='300' fill='url(#floor)'/>".formatted(y);
  }

  private static String shadow(int x, int y, int radiusX, int radiusY) {
    return "<ellipse cx='%s' cy='%s' rx='%s' ry='%s' fill='url(#shadow)'/>"
        .formatted(x, y, radiusX, radiusY);
  }
}
