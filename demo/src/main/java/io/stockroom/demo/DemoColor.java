package io.stockroom.demo;

/** A color in the demo catalog: its name, and its hex value in pictures. */
enum DemoColor {
  BLACK("黑色", "Black", "1d1d1f"),
  WHITE("白色", "White", "f3f1ec"),
  IVORY("米白色", "Ivory", "e9dfca"),
  BROWN("棕色", "Brown", "7a4a2b"),
  CAMEL("黄棕色", "Camel", "b5793c"),
  APRICOT("杏色", "Apricot", "d8b98a"),
  KHAKI("卡其色", "Khaki", "a58f63"),
  BURGUNDY("酒红色", "Burgundy", "6d1f2c"),
  RED("大红色", "Red", "b3263a"),
  PINK("粉色", "Pink", "e8a5b0"),
  LAVENDER("香芋紫", "Lavender", "a99bc8"),
  NAVY("藏青色", "Navy", "26365a"),
  BLUE("宝蓝色", "Royal Blue", "2f5d9a"),
  SKY("天蓝色", "Sky Blue", "7fb2d6"),
  GREY("灰色", "Grey", "8b8f96"),
  SILVER("银色", "Silver", "c4c8cc"),
  OLIVE("军绿色", "Olive", "5c6b4a"),
  LIME("荧光绿", "Lime", "a9cf3a"),
  ORANGE("橙色", "Orange", "e0792e");

  private final String chinese;
  private final String english;
  final String hex;

  DemoColor(String chinese, String english, String hex) {
    this.chinese = chinese;
    this.english = english;
    this.hex = hex;
  }

  BilingualText wording() {
    return new BilingualText(chinese, english);
  }
}
