package io.stockroom.server.docs;

/** The words around the pages, in the language of a page. */
record SiteWords(
    String tag,
    String skip,
    String pages,
    String docs,
    String search,
    String searchLabel,
    String colors,
    String overview,
    String onThisPage,
    String previous,
    String next,
    String turning,
    String linkTo,
    String table,
    String other,
    String otherTag) {
  /** The folder of the Chinese pages; their names are those of the English ones. */
  static final String CHINESE_FOLDER = "docs/zh/";

  private static final String ENGLISH_FOLDER = "docs/";

  private static final SiteWords ENGLISH =
      new SiteWords(
          "en",
          "Skip to the text",
          "Pages",
          "docs",
          "Search",
          "Search the docs",
          "Colors",
          "Overview",
          "On this page",
          "Previous",
          "Next",
          "Previous and next",
          "Link to ",
          "Table",
          "中文",
          "zh-CN");

  private static final SiteWords CHINESE =
      new SiteWords(
          "zh-CN", "跳到正文", "页面", "文档", "搜索", "搜索文档", "主题", "概览", "本页内容", "上一页", "下一页", "上一页和下一页",
          "链接到", "表格", "English", "en");

  static SiteWords of(String source) {
    return isChinese(source) ? CHINESE : ENGLISH;
  }

  static boolean isChinese(String source) {
    return source.startsWith(CHINESE_FOLDER);
  }

  /** The English file of a Chinese page, and the other way round. */
  static String counterpart(String source) {
    if (isChinese(source)) {
      return ENGLISH_FOLDER + source.substring(CHINESE_FOLDER.length());
    }
    return source.startsWith(ENGLISH_FOLDER)
        ? CHINESE_FOLDER + source.substring(ENGLISH_FOLDER.length())
        : source;
  }
}
