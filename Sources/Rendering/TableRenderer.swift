public import Metrics

/// Prints finished tables; it computes nothing.
///
/// The same table gives the same bytes, whatever the locale. A header is always printed, even without rows
/// (JSON has no header and gives `[]`). The kind of a cell's value decides how it is escaped: words from the data
/// are guarded, numbers never are.
public struct TableRenderer: Sendable {
  /// What only a terminal can show; other formats ignore it.
  public struct TerminalStyle: Equatable, Sendable {
    /// Whether the header is printed in bold.
    public var isColored: Bool
    /// The terminal's width in columns; words are cut with `…` to fit it, numbers never are.
    ///
    /// With `nil` nothing is cut.
    public var width: Int?

    /// Creates a style; without arguments, plain text of any width.
    ///
    /// - Parameters:
    ///   - isColored: Whether the header is printed in bold.
    ///   - width: The terminal's width in columns, or `nil` to cut nothing.
    public init(isColored: Bool = false, width: Int? = nil) {
      self.isColored = isColored
      self.width = width
    }
  }

  /// The format that tables are printed in.
  public let format: OutputFormat
  /// The looks of ``OutputFormat/table``.
  public let style: TerminalStyle

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - format: The format that tables are printed in.
  ///   - style: The looks of ``OutputFormat/table``.
  public init(_ format: OutputFormat, style: TerminalStyle = TerminalStyle()) {
    self.format = format
    self.style = style
  }

  /// Appends a table to a buffer of UTF-8.
  ///
  /// - Parameters:
  ///   - table: The table to print.
  ///   - buffer: Receives whole lines, the last one ended too.
  public func append(_ table: ReportTable, to buffer: inout [UInt8]) {
    switch format {
    case .table: TerminalTable(table, style: style).append(to: &buffer)
    case .csv: SeparatedValues.csv.append(table, to: &buffer)
    case .tsv: SeparatedValues.tsv.append(table, to: &buffer)
    case .md: MarkdownTable.append(table, to: &buffer)
    case .json: JSONTable.appendArray(table, to: &buffer)
    case .jsonl: JSONTable.appendLines(table, to: &buffer)
    }
  }

  /// Appends the next rows of a table that is printed piece by piece, as CSV or TSV.
  ///
  /// - Parameters:
  ///   - table: The rows; the header is not printed.
  ///   - buffer: Receives whole lines, the last one ended too.
  public func appendRows(of table: ReportTable, to buffer: inout [UInt8]) {
    switch format {
    case .csv: SeparatedValues.csv.appendRows(of: table, to: &buffer)
    case .tsv: SeparatedValues.tsv.appendRows(of: table, to: &buffer)
    case .table, .md, .json, .jsonl: preconditionFailure("a format whose rows stand alone")
    }
  }

  /// Returns a table as UTF-8.
  ///
  /// - Parameter table: The table to print.
  /// - Returns: Whole lines, the last one ended too.
  public func bytes(of table: ReportTable) -> [UInt8] {
    var buffer: [UInt8] = []
    append(table, to: &buffer)
    return buffer
  }

  /// Returns a table as text.
  ///
  /// - Parameter table: The table to print.
  /// - Returns: Whole lines, the last one ended too.
  public func text(of table: ReportTable) -> String {
    String(decoding: bytes(of: table), as: UTF8.self)
  }
}
