import Files
package import Pipeline
import Rendering
import Storage
package import SubscriptionModel
package import Tables

/// A run that a ledger has: a row of its tables, and the inputs of one source.
package struct PastRun: Sendable {
  package enum Choice: Equatable, Sendable {
    /// The run whose data end on this day; of several the last.
    case day(Day)
    case sequence(Int)

    /// The choice as it was written.
    package var text: String {
      switch self {
      case .day(let day): day.description
      case .sequence(let number): String(number)
      }
    }
  }

  package struct Row: Sendable {
    let table: TableKind
    let source: Source
    /// The month as the table prints it; `nil` for a table without months.
    let month: String?
    /// Other values of the row, as the CSV has them.
    let conditions: [(key: String, value: String)]

    package init(
      _ table: TableKind, _ source: Source, month: String?,
      where conditions: [(key: String, value: String)]
    ) {
      (self.table, self.source, self.month) = (table, source, month)
      self.conditions = conditions
    }
  }

  /// The line, without its files and tables.
  package let entry: LedgerEntry
  /// The numbers of the other lines with the same day, if the day chose the run.
  package let others: [Int]
  /// The cells of the row, by column.
  package let cells: [String: ReportTable.Cell]
  /// The inputs of the row's source, in path order.
  package let inputs: [LedgerEntry.File]

  /// Finds a run and a row of its tables, reading the lines twice: to find the run, then to add up its numbers.
  ///
  /// `entries` goes through the lines until its argument returns `false`.
  package init(
    _ choice: Choice, _ row: Row,
    _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
  ) throws {
    var lines: [(sequence: Int, asOf: Day?)] = []
    try entries { entry in
      lines.append((entry.sequence, entry.asOf))
      return true
    }
    let found = try Self.lines(choice, lines)
    var state = LedgerState()
    try entries { entry in
      state.apply(entry)
      return entry.sequence != found.last
    }
    guard let last = state.last, let sequence = found.last else {
      preconditionFailure("the first reading found the line")
    }
    entry = last
    others = found.filter { $0 != sequence }
    cells = try Self.cells(row, state, sequence)
    inputs = state.inputs.filter { $0.source == row.source }.sorted {
      $0.path == $1.path ? $0.sha256.precedes($1.sha256) : $0.path.precedes($1.path)
    }
  }

  /// Returns the numbers of the lines that are chosen, at least one.
  private static func lines(
    _ choice: Choice, _ lines: [(sequence: Int, asOf: Day?)]
  ) throws(LedgerQuestionError) -> [Int] {
    let found = lines.filter { line in
      switch choice {
      case .day(let day): line.asOf == day
      case .sequence(let number): line.sequence == number
      }
    }
    guard found.isEmpty else { return found.map(\.sequence) }
    guard !lines.isEmpty else {
      throw LedgerQuestionError("the ledger is empty; report --ledger writes a line each run")
    }
    if case .day(let day) = choice {
      let near = lines.filter { $0.asOf != nil }.min {
        abs(($0.asOf ?? day) - day) < abs(($1.asOf ?? day) - day)
      }
      let advice =
        near.flatMap { line in
          line.asOf.map { "the nearest is run \(line.sequence), with data to \($0)" }
        } ?? "no run has a day"
      throw LedgerQuestionError(
        "--against \(day): the ledger has no run with data to this day; \(advice)")
    }
    throw LedgerQuestionError(
      "--against \(choice.text): the ledger has the runs 1 to \(lines.last?.sequence ?? 1)")
  }

  private static func cells(
    _ row: Row, _ state: LedgerState, _ sequence: Int
  ) throws(LedgerQuestionError) -> [String: ReportTable.Cell] {
    let name = row.table.rawValue
    guard let table = state.tables[name] else {
      throw LedgerQuestionError("run \(sequence) of the ledger has no table \(name)")
    }
    let month = row.month.map { [(key: "month", value: $0)] } ?? []
    let wanted = [(key: "source", value: row.source.rawValue)] + month + row.conditions
    let places = wanted.compactMap { condition in
      table.columns.firstIndex { $0.name == condition.key }.map { ($0, condition.value) }
    }
    guard places.count == wanted.count else {
      throw LedgerQuestionError(
        "the ledger has the whole population of \(name); its rows have \(table.columns.keyNames.joined(separator: ", "))"
      )
    }
    let found = table.rows.values.filter { cells in
      places.allSatisfy { cells[$0].machineText.isSame(as: $1) }
    }
    let text = wanted.map { "\($0.key) \($0.value)" }.joined(separator: " and ")
    guard let only = found.first else {
      let end = state.last?.asOf.map { "; its data end on \($0)" } ?? ""
      throw LedgerQuestionError(
        "run \(sequence) of the ledger has no row of \(name) with \(text)\(end)")
    }
    guard found.count == 1 else {
      throw LedgerQuestionError(
        "run \(sequence) of the ledger has \(counted(found.count, "row")) of \(name) with \(text); choose one with \(choice(of: found, table.columns))"
      )
    }
    return Dictionary(zip(table.columns.map(\.name), only)) { first, _ in first }
  }

  /// Returns the options that choose one of several rows.
  private static func choice(
    of rows: [[ReportTable.Cell]], _ columns: [ReportTable.Column]
  ) -> String {
    columns.keyNames.compactMap { name -> String? in
      guard let place = columns.firstIndex(where: { $0.name == name }) else { return nil }
      let cells = rows.map { $0[place] }
      return Set(cells).count > 1 ? LedgerRows.choice(name, cells) : nil
    }.joined(separator: " and ")
  }
}

extension PastRun {
  /// Options that change no number of a question's source.
  private static let withoutEffect: Set<String> = ["primary", "source", "currency", "rates"]
  /// Options that change only numbers of receipts.
  private static let ofReceipts: Set<String> = [
    "environment", "identities", "verify", "root_certificate",
  ]

  /// Returns the names of options with another value on which numbers of a source depend.
  package static func otherOptions(
    _ options: [String: String], _ others: [String: String], for source: Source = .subscribers
  ) -> [String] {
    let left = source == .receipts ? withoutEffect : withoutEffect.union(ofReceipts)
    return Set(options.keys).union(others.keys).subtracting(left).filter {
      options[$0] != others[$0]
    }.sorted()
  }

  /// The inputs of a past run, compared with files.
  package struct Inputs: Sendable {
    /// Inputs that are not there.
    package var missing: [String] = []
    /// Inputs that have other bytes.
    package var changed: [String] = []
    /// Files that the past run did not have.
    package var new: [String] = []

    /// Whether all inputs of the past run are there as they were.
    package var areThere: Bool { missing.isEmpty && changed.isEmpty }

    /// Such as `2 of its files are changed: a.txt, b.txt`; one for each kind of difference.
    package var sentences: [String] {
      [("changed", changed), ("missing", missing), ("new", new)].filter { !$0.1.isEmpty }.map {
        "\(counted($1.count, "file")) \($0): \(LedgerCause.names($1))"
      }
    }
  }

  /// Compares the inputs with files of today.
  package func compare(_ files: [FileReport]) -> Inputs {
    var rest = Dictionary(grouping: files) { ExactText($0.file.relativePath) }.mapValues {
      $0.map(\.sha256)
    }
    var found = Inputs()
    for file in inputs {
      if let place = rest[file.path]?.firstIndex(of: file.sha256) {
        rest[file.path]?.remove(at: place)
      } else if rest[file.path]?.isEmpty ?? true {
        found.missing.append(file.path)
      } else {
        found.changed.append(file.path)
      }
    }
    let changed = Set<ExactText>(of: found.changed)
    found.new = rest.flatMap { path, hashes in
      changed.contains(path) ? [] : hashes.map { _ in path.text }
    }.sorted { $0.precedes($1) }
    return found
  }

  /// Returns the files that are inputs of the run, as it read them.
  package func own(of files: [FileReport]) -> [FileReport] {
    var rest = Dictionary(grouping: inputs) { ExactText($0.path) }.mapValues { $0.map(\.sha256) }
    return files.filter { file in
      let path = file.file.relativePath
      guard let place = rest[path]?.firstIndex(of: file.sha256) else { return false }
      rest[path]?.remove(at: place)
      return true
    }
  }
}
