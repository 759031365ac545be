import Files
import Storage

/// A row for each report: `.subreport/index.sqlite`, all of it in memory while a run goes on.
///
/// One transaction adds the changes since the last.
package final class FetchIndex {
  /// An answer and the reason for its request.
  package struct Answer: Equatable, Sendable {
    package var time: Int64
    package var key: FetchKey
    package var reason: String
    package var status: Int
    package var words: String
    package var correlation: String
  }

  /// A customer of an app, for the history.
  package struct Customer: Equatable, Sendable {
    /// When the history was asked for, in milliseconds since 1970; 0 for never.
    package var asked: Int64 = 0
    /// Apple's mark of the last page that was read; blank for nothing.
    package var revision = ""
    /// The newest expiry, in milliseconds since 1970.
    package var expires: Int64 = 0
    /// The newest notification, in milliseconds since 1970.
    package var notified: Int64 = 0
    /// Whether Apple does not know the customer.
    package var isUnknown = false

    package init() {}
  }

  package struct CustomerKey: Hashable, Sendable {
    package let bundle: String
    package let id: String
  }

  package private(set) var records: [FetchKey: FetchRecord] = [:]
  private var facts: [String: String] = [:]
  package private(set) var customers: [CustomerKey: Customer] = [:]
  /// The files in `replaced/`.
  private(set) var replaced: Set<ExactText> = []

  private let database: Database<FetchError>
  private var changed: Set<FetchKey> = []
  private var changedFacts: Set<String> = []
  private var changedCustomers: Set<CustomerKey> = []
  private var answers: [Answer] = []
  private var newReplaced: [(path: String, by: String)] = []

  private static let tables = """
    PRAGMA busy_timeout = 20000; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS report (
      kind TEXT, vendor TEXT, slot TEXT, state TEXT, asked INTEGER, answered_age INTEGER, file TEXT, version TEXT,
      size INTEGER, bytes_sha256 TEXT, text_sha256 TEXT, lines TEXT, restated INTEGER, words TEXT, correlation TEXT,
      is_of_unused_kind INTEGER, is_late INTEGER, PRIMARY KEY (kind, vendor, slot)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS answer (
      time INTEGER, kind TEXT, vendor TEXT, slot TEXT, reason TEXT, status INTEGER, words TEXT, correlation TEXT);
    CREATE TABLE IF NOT EXISTS replaced (path TEXT PRIMARY KEY, replaced_by TEXT) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS customer (
      bundle TEXT, id TEXT, asked INTEGER, revision TEXT, expires INTEGER, notified INTEGER, is_unknown INTEGER,
      PRIMARY KEY (bundle, id)) WITHOUT ROWID;
    """

  /// Opens or creates an index; `:memory:` is one that is not kept.
  package init(_ path: String) throws(FetchError) {
    database = try Database(path) { (words: String) in
      if words == SQLiteLibrary.advice { return FetchError(words, .unusableInput) }
      if words.contains("disk is full") { return .noSpace }
      if words.contains("locked") {
        return FetchError("\(path): another program uses the index", .unusableInput)
      }
      return FetchError(
        "\(path): \(words); subreport fetch --rebuild-index makes it anew", .unusableInput)
    }
    try database.run(Self.tables)
    if path != ":memory:" { try? OutputFileSystem.setMode(0o600, of: path) }
    try database.run("SELECT * FROM report", []) { row in
      guard let kind = FetchKind(rawValue: row.text(0)), let slot = FetchSlot(row.text(2)),
        let state = FetchState(rawValue: row.text(3))
      else { return }
      var record = FetchRecord(state)
      record.asked = row.number(4)
      record.answeredAge = Int(row.number(5))
      record.file = row.text(6)
      record.version = row.text(7)
      record.fingerprint.size = Int(row.number(8))
      record.fingerprint.bytes = row.text(9)
      record.fingerprint.text = row.text(10)
      record.fingerprint.lines = row.text(11)
      record.restated = Int(row.number(12))
      record.words = row.text(13)
      record.correlation = row.text(14)
      record.isOfUnusedKind = row.number(15) != 0
      record.isLate = row.number(16) != 0
      records[FetchKey(kind, row.text(1), slot)] = record
    }
    try database.run("SELECT name, value FROM fact", []) { facts[$0.text(0)] = $0.text(1) }
    try database.run("SELECT path FROM replaced", []) { replaced.insert(ExactText($0.text(0))) }
    try database.run("SELECT * FROM customer", []) { row in
      var customer = Customer()
      customer.asked = row.number(2)
      customer.revision = row.text(3)
      customer.expires = row.number(4)
      customer.notified = row.number(5)
      customer.isUnknown = row.number(6) != 0
      customers[CustomerKey(bundle: row.text(0), id: row.text(1))] = customer
    }
  }

  package subscript(key: FetchKey) -> FetchRecord? {
    get { records[key] }
    set {
      records[key] = newValue
      changed.insert(key)
    }
  }

  /// A value by name, such as the version of a kind.
  package subscript(fact name: String) -> String? {
    get { facts[name] }
    set {
      guard facts[name] != newValue else { return }
      facts[name] = newValue
      changedFacts.insert(name)
    }
  }

  package subscript(customer key: CustomerKey) -> Customer? {
    get { customers[key] }
    set {
      customers[key] = newValue
      changedCustomers.insert(key)
    }
  }

  /// Returns whether a vendor has no data of a kind: Apple refused 3 days, and never sent one.
  func isUnused(_ kind: FetchKind, _ vendor: String) -> Bool {
    var count = 0
    for (key, record) in records where key.kind == kind && key.vendor == vendor {
      if record.state == .present { return false }
      if record.isOfUnusedKind { count += 1 }
    }
    return count >= 3
  }

  /// Returns the reports of an account, without pending and missing ones of kinds that have no data.
  ///
  /// The last line of a run and `fetch status` count them.
  func reports(of account: FetchAccount) -> [FetchKey: FetchRecord] {
    var owners: Set<[String]> = []
    var unused: Set<[String]> = []
    for kind in account.kinds {
      for vendor in kind.service == .server ? account.bundles : account.vendors {
        owners.insert([kind.rawValue, vendor])
        if isUnused(kind, vendor) { unused.insert([kind.rawValue, vendor]) }
      }
    }
    return records.filter { key, record in
      let owner = [key.kind.rawValue, key.vendor]
      let isWaiting = record.state == .pending || record.state == .missing
      return owners.contains(owner) && !(isWaiting && unused.contains(owner))
    }
  }

  func note(_ answer: Answer) { answers.append(answer) }

  func noteReplaced(_ path: String, by file: String) {
    guard replaced.insert(ExactText(path)).inserted else { return }
    newReplaced.append((path, file))
  }

  /// Writes the changes, in one transaction.
  package func commit() throws(FetchError) {
    guard
      !changed.isEmpty || !changedFacts.isEmpty || !answers.isEmpty || !newReplaced.isEmpty
        || !changedCustomers.isEmpty
    else { return }
    try database.run("BEGIN IMMEDIATE")
    for key in changed { try write(key) }
    for name in changedFacts {
      if let value = facts[name] {
        try database.run("REPLACE INTO fact VALUES (?, ?)", [.text(name), .text(value)])
      } else {
        try database.run("DELETE FROM fact WHERE name = ?", [.text(name)])
      }
    }
    for key in changedCustomers {
      guard let customer = customers[key] else { continue }
      try database.run(
        "REPLACE INTO customer VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          .text(key.bundle), .text(key.id), .number(customer.asked), .text(customer.revision),
          .number(customer.expires), .number(customer.notified),
          .number(customer.isUnknown ? 1 : 0),
        ])
    }
    for answer in answers {
      try database.run(
        "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .number(answer.time), .text(answer.key.kind.rawValue), .text(answer.key.vendor),
          .text(answer.key.slot.description), .text(answer.reason), .number(Int64(answer.status)),
          .text(answer.words), .text(answer.correlation),
        ])
    }
    for (path, file) in newReplaced {
      try database.run("REPLACE INTO replaced VALUES (?, ?)", [.text(path), .text(file)])
    }
    try database.run("COMMIT")
    changed = []
    changedFacts = []
    changedCustomers = []
    answers = []
    newReplaced = []
  }

  private func write(_ key: FetchKey) throws(FetchError) {
    let names: [DatabaseValue] = [
      .text(key.kind.rawValue), .text(key.vendor), .text(key.slot.description),
    ]
    guard let record = records[key] else {
      return try database.run(
        "DELETE FROM report WHERE kind = ? AND vendor = ? AND slot = ?", names)
    }
    try database.run(
      "REPLACE INTO report VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      names + [
        .text(record.state.rawValue), .number(record.asked), .number(Int64(record.answeredAge)),
        .text(record.file), .text(record.version), .number(Int64(record.fingerprint.size)),
        .text(record.fingerprint.bytes), .text(record.fingerprint.text),
        .text(record.fingerprint.lines), .number(Int64(record.restated)), .text(record.words),
        .text(record.correlation), .number(record.isOfUnusedKind ? 1 : 0),
        .number(record.isLate ? 1 : 0),
      ])
  }

  /// Returns the answers of the index, in their order; for tests and Apple's support.
  package func allAnswers() throws(FetchError) -> [Answer] {
    var found: [Answer] = []
    try database.run("SELECT * FROM answer ORDER BY rowid", []) { row in
      guard let kind = FetchKind(rawValue: row.text(1)), let slot = FetchSlot(row.text(3)) else {
        return
      }
      found.append(
        Answer(
          time: row.number(0), key: FetchKey(kind, row.text(2), slot), reason: row.text(4),
          status: Int(row.number(5)), words: row.text(6), correlation: row.text(7)))
    }
    return found
  }
}
