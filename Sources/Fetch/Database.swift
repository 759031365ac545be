import CSQLite
import Files

/// An SQLite database, in the system's library.
@safe
final class Database {
  enum Value {
    case text(String)
    case number(Int64)
  }

  private let handle: OpaquePointer
  private let path: String
  private var statements: [String: OpaquePointer] = unsafe [:]

  /// Whether the system has SQLite.
  private static let isThere = subreport_sqlite_load() == 0

  /// Opens or creates a database.
  ///
  /// - Throws: ``FetchError`` in one line.
  init(_ path: String) throws(FetchError) {
    guard Self.isThere else {
      throw FetchError(
        "libsqlite3.so.0 is not here: apt-get install libsqlite3-0 (Debian, Ubuntu)", .unusableInput
      )
    }
    var handle: OpaquePointer?
    let code = unsafe subreport_sqlite_open(path, &handle)
    guard let opened = unsafe handle else {
      throw FetchError("\(path): cannot open the index", .unusableInput)
    }
    unsafe self.handle = opened
    self.path = path
    guard Int(code) == subreport_sqlite_ok else { throw failure }
  }

  deinit {
    // Safe: all were made by this object and are used by no other.
    unsafe statements.values.forEach { unsafe subreport_sqlite_finalize($0) }
    unsafe subreport_sqlite_close(handle)
  }

  private var failure: FetchError {
    let message = unsafe String(cString: subreport_sqlite_message(handle))
    if message.contains("disk is full") {
      return FetchError("archive: no space left", .unusableInput)
    }
    return FetchError(
      "\(path): \(message); subreport fetch --rebuild-index makes it anew", .unusableInput)
  }

  /// Carries out statements without values.
  func run(_ text: String) throws(FetchError) {
    guard unsafe subreport_sqlite_run(handle, text) == subreport_sqlite_ok else {
      throw failure
    }
  }

  /// Carries out a statement with values, and reads its rows.
  ///
  /// - Parameters:
  ///   - text: The statement, with a question mark for each value.
  ///   - values: The values.
  ///   - body: Reads a row.
  /// - Throws: ``FetchError`` with SQLite's words.
  func run(
    _ text: String, _ values: [Value], _ body: (Row) -> Void = { _ in }
  ) throws(FetchError) {
    let statement = try unsafe prepared(text)
    defer { _ = unsafe subreport_sqlite_reset(statement) }
    for (place, value) in zip(Int32(1)..., values) {
      switch value {
      case .text(let text): _ = unsafe subreport_sqlite_bind_text(statement, place, text)
      case .number(let number): _ = unsafe subreport_sqlite_bind_number(statement, place, number)
      }
    }
    while true {
      let code = unsafe subreport_sqlite_step(statement)
      if code == subreport_sqlite_done { return }
      guard code == subreport_sqlite_row else { throw failure }
      body(unsafe Row(statement))
    }
  }

  private func prepared(_ text: String) throws(FetchError) -> OpaquePointer {
    if let statement = unsafe statements[text] { return unsafe statement }
    var statement: OpaquePointer?
    let code = unsafe subreport_sqlite_prepare(handle, text, &statement)
    guard code == subreport_sqlite_ok, let made = unsafe statement else { throw failure }
    unsafe statements[text] = made
    return unsafe made
  }

  /// A row, during the call that gets it.
  @safe
  struct Row {
    private let statement: OpaquePointer

    fileprivate init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    func text(_ column: Int32) -> String {
      // Safe: the text is copied before the next step.
      unsafe subreport_sqlite_text(statement, column).map { unsafe String(cString: $0) } ?? ""
    }

    func number(_ column: Int32) -> Int64 { unsafe subreport_sqlite_number(statement, column) }
  }
}
