/// The columns of one kind of report: those it may have, and those that are read.
struct ReportLayout: Sendable {
  /// The kind of report.
  let kind: ReportKind
  /// The columns that together identify the kind.
  let signature: [Column]
  /// The columns that every number depends on; none for reports that are left aside.
  let needed: [Column]
  /// The columns that are read if present, and that all versions have.
  let usual: [Column]
  /// The columns that are read if present: the usual ones, and those that only some versions have.
  let optional: [Column]
  /// All names of columns of this kind, for comparison.
  private let known: Set<String>
  /// All names, reduced to letters and digits.
  private let looseNames: Set<String>

  init(
    _ kind: ReportKind, signature: [Column], needed: [Column] = [], usual: [Column] = [],
    ofSomeVersions: [Column] = [], unused: [String] = []
  ) {
    self.kind = kind
    self.signature = signature
    self.needed = needed
    self.usual = usual
    optional = usual + ofSomeVersions
    let names = (signature + needed + optional).flatMap(\.names) + unused
    known = Set(names.map(comparableName))
    looseNames = Set(names.map(looseName))
  }

  /// Returns whether reports of this kind have a column of a name.
  func knows(_ name: String, loosely: Bool) -> Bool {
    loosely ? looseNames.contains(name) : known.contains(name)
  }

  /// Returns whether a line without any separator holds at least 80% of the needed names.
  func isSpelledOut(in looseLine: String) -> Bool {
    guard needed.count >= 8 else { return false }
    let found = needed.count { column in
      column.names.contains { looseLine.contains(looseName($0)) }
    }
    return found * 10 >= needed.count * 8
  }
}

extension ReportLayout {
  /// Returns the layout that fits a header best, if one fits.
  ///
  /// A header fits if it has the signature and half of the needed columns; for reports that are read, also
  /// if it has 60% of the needed columns and half of its columns are in the layout.
  ///
  /// - Parameters:
  ///   - names: The header's names, comparable or loose.
  ///   - loosely: Whether the names are loose.
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
  /// The number of signatures that it has, 0 or 1, counts first, then how many of its columns the layout has.
  private func fit(_ present: Set<String>, loosely: Bool) -> (Int, Int)? {
    func has(_ column: Column) -> Bool {
      column.names.contains { present.contains(loosely ? looseName($0) : comparableName($0)) }
    }
    let knownCount = present.count { knows($0, loosely: loosely) }
    let neededCount = needed.count(where: has)
    let hasSignature = signature.allSatisfy(has)
    let fits =
      hasSignature
      ? neededCount * 2 >= needed.count
      : !needed.isEmpty && neededCount * 10 >= needed.count * 6 && knownCount * 2 >= present.count
    return fits ? (hasSignature ? 1 : 0, knownCount) : nil
  }
}
