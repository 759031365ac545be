/// The columns of one kind of report.
struct ReportLayout: Sendable {
  /// The kind of report.
  let kind: ReportKind
  /// The columns that identify the kind; a report with all of them is of this kind.
  let signature: [Column]
  /// The required columns; none for reports that are not read.
  let needed: [Column]
  /// The optional columns that all versions have.
  let usual: [Column]
  /// The optional columns: the usual ones, and columns that only some versions have.
  let optional: [Column]
  /// The columns that later versions have more than the first, version by version.
  private let additions: [Addition]
  /// The names of all columns of this kind, as ``comparableName(_:)`` returns them.
  private let comparableNames: Set<String>
  /// The names of all columns of this kind, as ``looseName(_:)`` returns them.
  private let looseNames: Set<String>

  init(
    _ kind: ReportKind, signature: [Column], needed: [Column] = [], usual: [Column] = [],
    ofSomeVersions: [Column] = [], additions: [Addition] = [], unused: [String] = []
  ) {
    self.kind = kind
    self.signature = signature
    self.needed = needed
    self.usual = usual
    self.additions = additions
    optional = usual + ofSomeVersions + additions.flatMap { $0.marks + $0.besides }
    let columns = signature + needed + optional
    comparableNames = Set(columns.flatMap(\.comparableNames) + unused.map(comparableName))
    looseNames = Set(columns.flatMap(\.looseNames) + unused.map(looseName))
  }

  /// Columns that a version has added.
  struct Addition: Sendable {
    /// The columns that only reports of this version and of later ones have.
    let marks: [Column]
    /// The others that it has too, and that some earlier reports may have.
    let besides: [Column]

    init(_ marks: [Column], besides: [Column] = []) {
      (self.marks, self.besides) = (marks, besides)
    }
  }

  /// Returns the columns that a header lacks: required ones, and those of its version, without which counts would be
  /// read as 0.
  func missingColumns(of header: ReportHeader) -> [Column] {
    let has = { (column: Column) in header.field(column) != nil }
    let newest = additions.lastIndex { $0.marks.contains(where: has) }
    let own = newest.map { additions[...$0].flatMap { $0.marks + $0.besides } } ?? []
    return (needed + own).filter { !has($0) }
  }

  /// Returns whether reports of this kind have a column with a name.
  func hasColumn(_ name: String, loosely: Bool) -> Bool {
    loosely ? looseNames.contains(name) : comparableNames.contains(name)
  }

  /// Returns whether a line contains at least 80% of the required names, with any text between
  /// them.
  func isSpelledOut(in looseLine: String) -> Bool {
    guard needed.count >= 8 else { return false }
    let found = needed.count { column in
      column.looseNames.contains { looseLine.contains($0) }
    }
    return found * 10 >= needed.count * 8
  }
}

extension ReportLayout {
  /// Returns the layout that fits a header best; `nil` if none fits.
  ///
  /// A layout fits if the header has the signature and half of the required columns. For reports
  /// that are read, it also fits if the header has 60% of the required columns and half of its
  /// columns are in the layout.
  ///
  /// - Parameters:
  ///   - names: The header's names, from ``comparableName(_:)`` or ``looseName(_:)``.
  ///   - loosely: Whether the names are from ``looseName(_:)``.
  /// - Returns: The best layout; the first if several are equally good.
  static func bestMatch(_ names: [String], loosely: Bool = false) -> ReportLayout? {
    let present = Set(names.filter { !$0.isEmpty })
    var best: (layout: ReportLayout, fit: (Int, Int))?
    for layout in all {
      guard let fit = layout.fit(present, loosely: loosely) else { continue }
      if let best, fit <= best.fit { continue }
      best = (layout, fit)
    }
    return best?.layout
  }

  /// Returns how well a header fits; `nil` if it does not.
  ///
  /// First whether it has the signature, 1 or 0, then how many of its columns are in the layout.
  private func fit(_ present: Set<String>, loosely: Bool) -> (Int, Int)? {
    func has(_ column: Column) -> Bool {
      (loosely ? column.looseNames : column.comparableNames).contains(where: present.contains)
    }
    let layoutCount = present.count { hasColumn($0, loosely: loosely) }
    let neededCount = needed.count(where: has)
    let hasSignature = signature.allSatisfy(has)
    let fits =
      hasSignature
      ? neededCount * 2 >= needed.count
      : !needed.isEmpty && neededCount * 10 >= needed.count * 6 && layoutCount * 2 >= present.count
    return fits ? (hasSignature ? 1 : 0, layoutCount) : nil
  }
}
