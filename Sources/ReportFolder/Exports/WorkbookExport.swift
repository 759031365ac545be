import CXLSX
import Files
import Rendering
import Scanning
import Storage
package import Tables

/// Tables as a workbook for Excel, LibreOffice and other spreadsheets (XLSX).
///
/// Each table has a sheet, and the last two sheets, `tables` and `columns`, say what each table and column means. Numbers are numbers: rates with
/// the form of percentages, amounts with the decimals of their currency. Texts are texts, whatever they begin with.
package enum WorkbookExport {
  /// Why no workbook can be made here; `nil` where it can.
  package static let obstacle =
    subreport_xlsx_load() == 0
    ? nil : "libxlsxwriter is not here: apt-get install libxlsxwriter-dev (Debian, Ubuntu)"

  /// Returns the file.
  ///
  /// Temporary files, some times as large as the workbook, are in `folder`. The notes are about tables of which a sheet
  /// holds only a part, such as `health: the first 1,048,575 of 2,000,000 rows`.
  package static func bytes(
    of tables: [LongTable], folder: String = TemporaryFile.folder
  ) throws(ExportError) -> (bytes: [UInt8], notes: [String]) {
    if let obstacle { throw ExportError(message: obstacle) }
    let file: TemporaryFile
    do throws(OutputError) {
      file = try TemporaryFile(in: folder)
    } catch {
      throw ExportError(message: "\(folder): \(error.message)")
    }
    let workbook = try Workbook(path: file.path, folder: folder)
    let exported = tables.map { ExportedTable($0) }
    // The sheets of tables and columns have the names of sheets, not of files.
    let names = SheetNames(tables.map(\.name) + ["tables", "columns"])
    let all =
      exported + [
        .tables(exported, name: { names[$0] }), .columns(of: exported, name: { names[$0] }),
      ]
    var notes: [String] = []
    for table in all {
      let name = names[table.rows.name]
      if let note = try workbook.add(table, named: name) { notes.append("\(name): \(note)") }
    }
    try workbook.end()
    guard Self.isWhole(file.path, workbook.cellCounts) else {
      throw ExportError(message: "\(folder): a temporary file could not be written to its end")
    }
    var bytes: [UInt8] = []
    let isWhole = OutputFileSystem.forEachBlock(of: file.path) { block in
      // Safe: the bytes are copied before the block is used again.
      unsafe block.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
    guard isWhole else { throw ExportError(message: "\(folder): a temporary file cannot be read") }
    return (bytes, notes)
  }

  /// Returns whether a workbook has all cells: the library does not tell that a disk was full while it wrote rows.
  private static func isWhole(_ path: String, _ counts: [Int]) -> Bool {
    guard let members = try? ZipDirectory(path: path).members else { return false }
    let (less, letter, blank) = (UInt8(ascii: "<"), UInt8(ascii: "c"), UInt8(ascii: " "))
    return counts.enumerated().allSatisfy { place, count in
      let member = members.first { $0.name == "xl/worksheets/sheet\(place + 1).xml" }
      guard let path = try? member?.content.get().path else { return false }
      // A cell begins with `<c `, which no text has.
      var (found, before, last): (Int, UInt8, UInt8) = (0, 0, 0)
      let isRead: Void? = try? StoredContent.forEachBlock(of: path) { block in
        for index in block.indices {
          let byte = block[index]
          if byte == blank, last == letter, before == less { found += 1 }
          (before, last) = (last, byte)
        }
      }
      return isRead != nil && found == count
    }
  }
}

/// The names of sheets: at most 31 characters, each different from the others in any case.
package struct SheetNames {
  private var names: [String: String] = [:]

  /// Creates the names; a table whose name is too long has its beginning: `retention-by-start_quarter-du~1`.
  package init(_ tables: [String]) {
    var taken: Set<String> = []
    for table in tables {
      let allowed = table.unicodeScalars.map { Self.refused.contains($0) ? "_" : $0 }
      var (name, number) = (Self.text(allowed), 0)
      while allowed.count > Self.most && number == 0 || name.isEmpty
        || taken.contains(name.lowercased())
      {
        number += 1
        let end = "~\(number)"
        name = Self.text(allowed.prefix(Self.most - end.count)) + end
      }
      taken.insert(name.lowercased())
      names[table] = name
    }
  }

  package subscript(table: String) -> String { names[table] ?? table }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private static let most = 31
  private static let refused: Set<Unicode.Scalar> = ["[", "]", ":", "*", "?", "/", "\\", "'"]
}

/// A workbook of the system's libxlsxwriter.
@safe
private final class Workbook {
  /// The most rows that a sheet holds, with its header.
  private static let mostRows = 1 << 20
  /// The widest column, in characters.
  private static let mostWidth = 60

  private let handle: OpaquePointer
  private var forms: [String: OpaquePointer] = unsafe [:]
  private let bold: OpaquePointer?
  private let folder: String
  private var isEnded = false
  /// The number of cells of each sheet.
  private(set) var cellCounts: [Int] = []

  init(path: String, folder: String) throws(ExportError) {
    guard let made = unsafe subreport_xlsx_new(path, folder, WrittenFile.author) else {
      throw ExportError(message: "\(folder): no workbook can be made there")
    }
    unsafe handle = made
    unsafe bold = subreport_xlsx_format(made, nil, 1)
    self.folder = folder
  }

  deinit { if !isEnded { _ = unsafe subreport_xlsx_end(handle) } }

  func end() throws(ExportError) {
    isEnded = true
    try check(unsafe subreport_xlsx_end(handle))
  }

  private func check(_ code: Int32) throws(ExportError) {
    guard code != 0 else { return }
    // Safe: the library's messages stay.
    let message = unsafe String(cString: subreport_xlsx_message(code))
    throw ExportError(message: "\(folder): libxlsxwriter: \(message)")
  }

  /// Adds a sheet; returns a line when it holds only a part of the rows, or of a text.
  func add(_ table: ExportedTable, named name: String) throws(ExportError) -> String? {
    guard let sheet = unsafe subreport_xlsx_sheet(handle, name) else {
      throw ExportError(message: "\(folder): libxlsxwriter cannot make the sheet \(name)")
    }
    var widths = table.columns.map { DisplayWidth.of($0.name) + 3 }
    for (place, column) in table.columns.enumerated() {
      try check(unsafe subreport_xlsx_text(sheet, 0, UInt16(place), column.name, bold))
    }
    var row: UInt32 = 0
    var (count, cutTexts) = (table.columns.count, 0)
    for cells in table.rows.rows.prefix(Self.mostRows - 1) {
      row += 1
      for (place, cell) in cells.enumerated() where !cell.isEmpty {
        let text = cell.machineText
        var (length, code): (Int, Int32)
        if let number = Self.number(cell, text) {
          let currency = table.currencies.currency(of: place, in: cells)
          let form = try unsafe form(Self.form(cell, table.columns[place], currency))
          code = unsafe subreport_xlsx_number(sheet, row, UInt16(place), number, form)
          length = text.utf8.count + 2
        } else {
          let (escaped, isCut) = SheetText.escaped(text)
          if isCut { cutTexts += 1 }
          code = unsafe subreport_xlsx_text(sheet, row, UInt16(place), escaped, nil)
          length = DisplayWidth.of(escaped) + 1
        }
        try check(code)
        count += 1
        if length > widths[place] { widths[place] = min(length, Self.mostWidth) }
      }
    }
    cellCounts.append(count)
    for (place, width) in widths.enumerated() {
      unsafe subreport_xlsx_width(sheet, UInt16(place), Double(width))
    }
    unsafe subreport_xlsx_filter(sheet, row, UInt16(max(0, widths.count - 1)))
    if table.rows.count > row {
      return
        "the first \(NumberStyle.grouped(Int(row))) of \(counted(table.rows.count, "row")): a sheet holds no more; the CSV has all"
    }
    return cutTexts == 0
      ? nil
      : "\(counted(cutTexts, "text")) cut after \(SheetText.mostUnits) characters; the CSV has all"
  }

  /// Returns the number of a cell; `nil` for words, and for more digits than a spreadsheet keeps.
  private static func number(_ cell: ReportTable.Cell, _ text: String) -> Double? {
    if case .text = cell { return nil }
    return text.utf8.count > 15 ? nil : Double(text)
  }

  private static func form(
    _ cell: ReportTable.Cell, _ column: ExportedTable.Column, _ currency: String
  ) -> String {
    switch cell {
    case .ratio, .fraction: return column.kind == .rate ? "0.00%" : "0.000000"
    case .hundredths: return "0.00"
    case .money:
      let decimals = CurrencyDecimals.of(currency)
      return decimals == 0 ? "#,##0" : "#,##0." + String(repeating: "0", count: decimals)
    case .missing, .text, .count: return "0"
    }
  }

  private func form(_ text: String) throws(ExportError) -> OpaquePointer {
    if let known = unsafe forms[text] { return unsafe known }
    guard let made = unsafe subreport_xlsx_format(handle, text, 0) else {
      throw ExportError(message: "libxlsxwriter has no memory")
    }
    unsafe forms[text] = made
    return unsafe made
  }
}

/// Texts as cells of a sheet have them.
package enum SheetText {
  /// The most units of UTF-16 that a cell holds.
  package static let mostUnits = 32_767

  /// Returns a text with `_x0001_` for characters that XML cannot have, and `_x005F_` for `_` before such a word.
  package static func escaped(_ text: String) -> (text: String, isCut: Bool) {
    var isPlain = text.utf8.count < mostUnits
    for byte in text.utf8 where byte < 0x20 || byte == UInt8(ascii: "_") || byte == 0xEF {
      isPlain = false
    }
    if isPlain { return (text, false) }
    var (escaped, units) = ("", 0)
    let scalars = Array(text.unicodeScalars)
    for (place, scalar) in scalars.enumerated() {
      let piece = piece(scalar, scalars[place...].prefix(7))
      units += piece.utf16.count
      // The last unit is for the mark of the cut.
      guard units < mostUnits else { return (escaped + "…", true) }
      escaped += piece
    }
    return (escaped, false)
  }

  private static func piece(
    _ scalar: Unicode.Scalar, _ next: ArraySlice<Unicode.Scalar>
  ) -> String {
    switch scalar.value {
    case 0x09, 0x0A: return String(scalar)
    case 0..<0x20, 0xFFFE, 0xFFFF: return "_x" + hexadecimal(scalar.value) + "_"
    case 0x5F where isEscape(Array(next)): return "_x005F_"
    default: return String(scalar)
    }
  }

  /// Returns whether scalars are such as `_x0041_`.
  private static func isEscape(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.count == 7 && scalars[1] == "x" && scalars[6] == "_"
      && scalars[2..<6].allSatisfy(\.properties.isASCIIHexDigit)
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
