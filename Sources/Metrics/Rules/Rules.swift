/// The rules behind the tables, section by section: METRICS.md is made from them.
///
/// The code's comments name sections and rules by these numbers, so a number never changes its
/// meaning. What each table is stands in its ``Definition``; the rules are the details behind it.
public enum Rules {
  /// A part of a section.
  public enum Block: Sendable {
    /// One paragraph of Markdown.
    case paragraph(String)
    /// A heading inside the section.
    case heading(String)
    /// A numbered rule with its title; code names it by section and number, such as 2.9.
    case rule(Int, String, String)
    /// Points in no order that matters.
    case points([String])
    /// A table: the names of its columns, and its rows.
    case table([String], [[String]])
    /// The definition of a table, with its columns and its details.
    case definition(TableKind)
  }

  /// A numbered section.
  public struct Section: Sendable {
    /// The number that code comments name.
    public let number: Int
    /// The heading without the number.
    public let title: String
    /// What it says, in order.
    public let blocks: [Block]
  }

  /// Every section, by number.
  public static let sections: [Section] = [
    words, chains, receipts, events, tables, priceIncreases, settlement, rows, plans,
  ]
}
