package io.stockroom.demo.pictures;

import java.util.Locale;

/**
 * One silhouette in one color. A document contains the definitions once, with ids made unique by
 * the shoe's number; the shoe can then be placed several times.
 */
record Shoe(Silhouette silhouette, Tone tone, int number) {
  /** The gradients, the clip path of the upper, and the shoe for {@link #placed}. */
  String definitions() {
    StringBuilder svg = new StringBuilder();
    StringBuilder body = new StringBuilder();
    gradient(svg, "upper", tone.lighter(0.26), tone, tone.darker(0.28));
    gradient(svg, "panel", tone.lighter(0.12), tone.darker(0.14), tone.darker(0.42));
    gradient(svg, "trim", trim().lighter(0.3), trim(), trim().darker(0.14));
    gradient(svg, "lining", tone.darker(0.72), tone.darker(0.62), tone.darker(0.5));
    gradient(svg, "welt", rubber().lighter(0.24), rubber().lighter(0.14), rubber());
    gradient(svg, "outsole", rubber().lighter(0.1), rubber(), rubber().darker(0.3));
    StringBuilder shoe = new StringBuilder();
    for (String line : silhouette.drawing.lines().toList()) {
      int space = line.indexOf(' ');
      Material material = Material.valueOf(line.substring(0, space).toUpperCase(Locale.ROOT));
      String path = line.substring(space).strip();
      shoe.append("<path ").append(paint(material)).append(" d='").append(path).append("'/>");
      if (material == Material.UPPER) {
        body.append("<path d='").append(path).append("'/>");
      }
    }
    return svg.append("<clipPath id='body%s'>%s</clipPath>".formatted(number, body))
        .append("<g id='shoe%s'>%s</g>".formatted(number, shoe))
        .toString();
  }

  /** The shoe at its position on the canvas. */
  String placed() {
    return "<use href='#shoe%s'/>".formatted(number);
  }

  /** The rubber of the sole, in a color that matches the upper. */
  Tone rubber() {
    return tone.mix(new Tone(38, 34, 34), tone.brightness() > 0.5 ? 0.72 : 0.6);
  }

  private Tone trim() {
    return tone.brightness() > 0.72 ? tone.mix(new Tone(60, 72, 92), 0.55) : tone.lighter(0.78);
  }

  private String paint(Material material) {
    return switch (material) {
      case UPPER, PANEL, TRIM, LINING, WELT, OUTSOLE ->
          "fill='url(#%s%s)'".formatted(material.name().toLowerCase(Locale.ROOT), number);
      case FOOTBED, SOLE -> "fill='url(#%s)'".formatted(material.name().toLowerCase(Locale.ROOT));
      case METAL -> "fill='url(#metal)' fill-rule='evenodd'";
      case GORE -> "fill='%s'".formatted(rubber().css());
      case STITCH -> "class='stitch' stroke='%s'".formatted(stitch().css());
      case SHADE, SHINE ->
          "class='%s' clip-path='url(#body%s)'"
              .formatted(material.name().toLowerCase(Locale.ROOT), number);
      case RIB, GROOVE, SEAM, LACE ->
          "class='%s'".formatted(material.name().toLowerCase(Locale.ROOT));
    };
  }

  private Tone stitch() {
    return tone.brightness() > 0.6 ? tone.darker(0.4) : tone.lighter(0.5);
  }

  /** In canvas coordinates, so the light falls on all parts from the same side. */
  private void gradient(StringBuilder svg, String name, Tone top, Tone middle, Tone bottom) {
    svg.append(
        """
        <linearGradient id='%s%s' gradientUnits='userSpaceOnUse' x1='330' y1='240' x2='450' y2='620'>\
        <stop stop-color='%s'/><stop offset='.5' stop-color='%s'/><stop offset='1' stop-color='%s'/>\
        </linearGradient>"""
            .formatted(name, number, top.css(), middle.css(), bottom.css()));
  }
}
