import Scanning

/// Files that somebody has changed since Apple made them: METRICS.md 2.11.
extension FileReport {
  /// What is wrong with a file that a spreadsheet has saved; `nil` for any other file.
  ///
  /// Its rewritten rows are rejected, but the line about the file stands for all of them.
  var rewriting: FileProblem? {
    guard rows.rewritten > 0, let first = rejects.first(where: \.isRewritten) else { return nil }
    return FileProblem(
      code: first.code.rawValue,
      message:
        "a spreadsheet has saved this file and rewritten dates or ids in \(counted(rows.rewritten, "row")), "
        + "the first in column \"\(first.column)\" (found \(found(first, isQuoted: true)), "
        + "expected \(first.expected)); download it again",
      isCorruption: false, line: first.line, field: first.field)
  }

  /// What is wrong with a file of several reports; `nil` for any other file.
  var joining: FileProblem? {
    guard rows.repeatedHeaders > 0 else { return nil }
    let first = rejects.first { $0.code == .repeatedHeader }
    return FileProblem(headers: rows.repeatedHeaders, firstLine: first?.line)
  }

  /// Refuses a file of several reports, and one of which a spreadsheet has left no row.
  ///
  /// Rows that a spreadsheet has left alone count; a day without any is missing.
  mutating func refuseIfChanged() {
    if let joining {
      refuse(joining)
    } else if rows.used == 0, let rewriting {
      refuse(rewriting)
    }
  }

  /// How many rejected rows have no line of their own, because one about the file stands for them.
  var coveredRejects: Int { rows.rewritten + rows.repeatedHeaders }
}

extension Reject {
  /// Whether a line about the whole file stands for this row's.
  var isCovered: Bool { isRewritten || code == .repeatedHeader }
}
