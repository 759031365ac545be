import Tables

/// A question about `health`.
extension Question {
  /// The counts to list; without a choice those that add up to all rows read.
  var counts: [String] { chosen ?? Array(about.columns(nil).dropFirst()) }

  /// Returns the index of the asked row of `health.csv`; throws when there is no such row, or several.
  func place(in health: LongTable) throws(QuestionError) -> Int {
    let words = conditions.isEmpty ? "" : " for \(conditions.words)"
    let found = try row(
      among: Array(0..<health.count), of: about.name, words, text: { health.row($0).text($1) },
      choice: { found throws(QuestionError) in
        // --where path= cannot choose one of several rows without a path.
        if found.allSatisfy({ health.row($0).text("path").isEmpty }) {
          throw Self.withoutCounts(health.row(found[0]))
        }
        return "--where path=…, as health.csv has it"
      })
    if let found { return found }
    if health.count == 0, let first = conditions.first {
      throw unknownValue(first, of: about.name, among: [])
    }
    throw QuestionError("health has no row for \(conditions.words)")
  }

  /// Returns why a row has no counts: its note, and the next step.
  static func withoutCounts(_ row: ReportTable.NamedRow) -> QuestionError {
    let path = row.text("path")
    let owner = path.isEmpty ? "the run" : "the input \(path), which was not read"
    return QuestionError(
      "explain health: this row is about \(owner): \"\(row.text("note"))\"; it has no rows of a file to list; choose a file with --where path=…, as health.csv has it"
    )
  }
}

extension LongTable {
  /// Returns a row, for access by the names of the columns.
  func row(_ index: Int) -> ReportTable.NamedRow { part(index..<index + 1).namedRows[0] }
}
