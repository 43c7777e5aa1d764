package io.stockroom.demo;

import java.util.Locale;

/** A color in the demo catalog: its name, and its name in drawings. */
enum DemoColor {
  BLACK("黑色", "Black"),
  WHITE("白色", "White"),
  IVORY("米白色", "Ivory"),
  BROWN("棕色", "Brown"),
  CAMEL("黄棕色", "Camel"),
  APRICOT("杏色", "Apricot"),
  KHAKI("卡其色", "Khaki"),
  BURGUNDY("酒红色", "Burgundy"),
  RED("大红色", "Red"),
  PINK("粉色", "Pink"),
  LAVENDER("香芋紫", "Lavender"),
  NAVY("藏青色", "Navy"),
  BLUE("宝蓝色", "Royal Blue"),
  SKY("天蓝色", "Sky Blue"),
  GREY("灰色", "Grey"),
  SILVER("银色", "Silver"),
  OLIVE("军绿色", "Olive"),
  LIME("荧光绿", "Lime"),
  ORANGE("橙色", "Orange");

  private final String chinese;
  private final String english;

  DemoColor(String chinese, String english) {
    this.chinese = chinese;
    this.english = english;
  }

  /** In the name of a drawing. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  BilingualText wording() {
    return new BilingualText(chinese, english);
  }
}
