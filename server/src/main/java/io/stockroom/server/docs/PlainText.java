package io.stockroom.server.docs;

import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** Extracts plain text from Markdown. */
final class PlainText {
  private PlainText() {}

  static String of(Node node) {
    StringBuilder words = new StringBuilder();
    collect(node, words);
    return words.toString().strip().replaceAll("\\s+", " ");
  }

  private static void collect(Node node, StringBuilder words) {
    switch (node) {
      case Text text -> words.append(text.getLiteral());
      case Code code -> words.append(code.getLiteral());
      case FencedCodeBlock block -> words.append(block.getLiteral());
      case IndentedCodeBlock block -> words.append(block.getLiteral());
      case SoftLineBreak _, HardLineBreak _ -> words.append(' ');
      default -> {}
    }
    for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
      collect(child, words);
    }
    if (node instanceof Paragraph || node instanceof TableCell) {
      words.append(' ');
    }
  }
}
