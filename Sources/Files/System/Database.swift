import CSQLite

/// A value that a statement of ``Database`` is given.
package enum DatabaseValue {
  case null
  case text(String)
  case number(Int64)
  case real(Double)
}

/// An SQLite database, in the system's library, which is opened with the first database.
@safe
package final class Database<Failure: Error> {
  private let handle: OpaquePointer
  private let failure: (String) -> Failure
  private var statements: [String: OpaquePointer] = unsafe [:]

  /// Opens or creates a database; `:memory:` is one that is not kept.
  ///
  /// `failure` makes the error of this and all later calls from SQLite's words, such as `disk is full`.
  package init(
    _ path: String, failure: @escaping (String) -> Failure
  ) throws(Failure) {
    if let advice = SQLiteLibrary.advice { throw failure(advice) }
    var handle: OpaquePointer?
    let code = unsafe subreport_sqlite_open(path, &handle)
    guard let opened = unsafe handle else { throw failure("cannot be opened") }
    unsafe self.handle = opened
    self.failure = failure
    guard Int(code) == subreport_sqlite_ok else { throw lastFailure }
  }

  deinit {
    // Safe: all were made by this object and are used by no other.
    unsafe statements.values.forEach { unsafe subreport_sqlite_finalize($0) }
    unsafe subreport_sqlite_close(handle)
  }

  private var lastFailure: Failure {
    failure(unsafe String(cString: subreport_sqlite_message(handle)))
  }

  /// Carries out statements without values.
  package func run(_ text: String) throws(Failure) {
    guard unsafe subreport_sqlite_run(handle, text) == subreport_sqlite_ok else {
      throw lastFailure
    }
  }

  /// Carries out a statement with a value for each question mark, and reads its rows.
  package func run(
    _ text: String, _ values: [DatabaseValue], _ body: (DatabaseRow) -> Void = { _ in }
  ) throws(Failure) {
    let statement = try unsafe prepared(text)
    try unsafe run(statement, values, body)
  }

  /// Carries out a statement without rows, once for each list of values: `INSERT INTO month VALUES (?, ?)`.
  package func run(
    _ text: String, each lists: some Sequence<[DatabaseValue]>
  ) throws(Failure) {
    let statement = try unsafe prepared(text)
    for values in lists { try unsafe run(statement, values) { _ in } }
  }

  private func run(
    _ statement: OpaquePointer, _ values: [DatabaseValue], _ body: (DatabaseRow) -> Void
  ) throws(Failure) {
    defer { _ = unsafe subreport_sqlite_reset(statement) }
    for (place, value) in zip(Int32(1)..., values) {
      switch value {
      case .null: _ = unsafe subreport_sqlite_bind_null(statement, place)
      case .number(let number): _ = unsafe subreport_sqlite_bind_number(statement, place, number)
      case .real(let number): _ = unsafe subreport_sqlite_bind_real(statement, place, number)
      case .text(let text):
        // A text may hold zero bytes, so its length is given.
        let count = Int32(clamping: text.utf8.count)
        _ = unsafe subreport_sqlite_bind_text(statement, place, text, count)
      }
    }
    while true {
      let code = unsafe subreport_sqlite_step(statement)
      if code == subreport_sqlite_done { return }
      guard code == subreport_sqlite_row else { throw lastFailure }
      body(unsafe DatabaseRow(statement))
    }
  }

  private func prepared(_ text: String) throws(Failure) -> OpaquePointer {
    if let statement = unsafe statements[text] { return unsafe statement }
    var statement: OpaquePointer?
    let code = unsafe subreport_sqlite_prepare(handle, text, &statement)
    guard code == subreport_sqlite_ok, let made = unsafe statement else { throw lastFailure }
    unsafe statements[text] = made
    return unsafe made
  }

  /// Returns the bytes of the file that the database would be; an error for a library built without this, or before
  /// 3.23.
  package func bytes() throws(Failure) -> [UInt8] {
    var count: Int64 = 0
    guard let bytes = unsafe subreport_sqlite_bytes(handle, &count) else {
      throw failure("libsqlite3.so.0 cannot make a file in memory: install SQLite 3.36 or later")
    }
    defer { unsafe subreport_sqlite_free(bytes) }
    // Safe: the library says how many bytes there are, and they stay until they are freed.
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}

/// Whether the system has SQLite.
package enum SQLiteLibrary {
  /// What to do where it is missing: `libsqlite3.so.0 is not here: …`; `nil` where it is there.
  package static let advice =
    subreport_sqlite_load() == 0
    ? nil : "libsqlite3.so.0 is not here: apt-get install libsqlite3-0 (Debian, Ubuntu)"
}

/// A row that ``Database`` reads, during the call that gets it.
@safe
package struct DatabaseRow {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { unsafe self.statement = statement }

  package func text(_ column: Int32) -> String {
    // Safe: the text is copied before the next step.
    unsafe subreport_sqlite_text(statement, column).map { unsafe String(cString: $0) } ?? ""
  }

  package func number(_ column: Int32) -> Int64 {
    unsafe subreport_sqlite_number(statement, column)
  }
}
