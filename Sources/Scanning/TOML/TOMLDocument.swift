/// A config file, in the subset of TOML 1.0 that settings need.
///
/// The subset has tables, dotted and quoted keys, strings of all four kinds, whole numbers,
/// booleans, lists, inline tables and lists of tables. No setting needs decimals or dates, so they
/// are errors. A document is flat: each value has the whole path of its key, such as
/// `["groups", "com.example.month"]`; of the second `[[fetch.account]]` it is
/// `["fetch", "account", "1", "name"]`.
package struct TOMLDocument: Sendable {
  /// A value and its place.
  package struct Entry: Equatable, Sendable {
    /// The names of the tables that hold the key, then the key.
    package let path: [String]
    /// The value after the equals sign.
    package let value: TOMLValue
    /// The line of the key, from 1.
    package let line: Int
  }

  /// A table's header, such as `[groups]`.
  package struct Header: Equatable, Sendable {
    /// The names in the brackets.
    package let path: [String]
    /// Its line, from 1.
    package let line: Int
  }

  /// The values in the order of the file.
  package internal(set) var entries: [Entry] = []
  /// The headers in the order of the file.
  package internal(set) var headers: [Header] = []

  /// Reads a document.
  ///
  /// - Parameter bytes: The text of the file, in UTF-8; a byte order mark is skipped.
  /// - Throws: ``TOMLError`` for the first text outside the subset.
  package init(_ bytes: [UInt8]) throws(TOMLError) {
    var reader = TOMLReader(bytes)
    self = try reader.document()
  }

  init() {}
}

/// A value of a config file.
package enum TOMLValue: Equatable, Sendable {
  /// Text, its escapes resolved.
  case string(String)
  /// A whole number.
  case integer(Int)
  /// `true` or `false`.
  case boolean(Bool)
  /// Values in brackets.
  case list([TOMLValue])
}

/// An error in a config file, and its place.
package struct TOMLError: Error, Equatable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The character in the line, counted in bytes from 1.
  package let column: Int
  /// The error, and how to correct it, in lower case and without a full stop.
  package let message: String
}
