/// The tables and keys found in a config file, to detect names that occur twice.
struct TOMLNames {
  private enum Kind {
    /// A value or an inline table, to which no keys can be added.
    case value
    /// `[a.b]`.
    case header
    /// `a` of `[a.b]`, which may still have a header of its own.
    case implicit
    /// `a` of `a.b = 1`, with the table that contains this line.
    case dotted(table: [String])
  }

  /// By the bytes of each part.
  private var kinds: [[[UInt8]]: Kind] = [:]
  /// The number of tables of each list.
  private var lists: [[[UInt8]]: Int] = [:]

  /// Returns the name of the next table of a list: its number, from 0.
  mutating func nextOfList(_ path: [String]) -> String {
    defer { lists[Self.bytes(path), default: 0] += 1 }
    return String(lists[Self.bytes(path)] ?? 0)
  }

  /// Adds the table of a header.
  ///
  /// - Returns: An error message, or nil.
  mutating func addTable(_ path: [String]) -> String? {
    for count in 1..<max(1, path.count) {
      let parent = Array(path[..<count])
      switch kinds[Self.bytes(parent)] {
      case .value: return "\(Self.shown(parent)) is a value, not a section"
      case nil: kinds[Self.bytes(parent)] = .implicit
      case .header, .implicit, .dotted: break
      }
    }
    switch kinds[Self.bytes(path)] {
    case nil, .implicit: kinds[Self.bytes(path)] = .header
    case .value: return "\(Self.shown(path)) is a value, not a section"
    case .header, .dotted: return "the section [\(Self.shown(path))] occurs twice"
    }
    return nil
  }

  /// Adds a key.
  ///
  /// - Parameters:
  ///   - path: The path of the key.
  ///   - table: The path of the table that contains its line.
  /// - Returns: An error message, or nil.
  mutating func addValue(_ path: [String], in table: [String]) -> String? {
    for count in (table.count + 1)..<max(table.count + 1, path.count) {
      let parent = Array(path[..<count])
      switch kinds[Self.bytes(parent)] {
      case nil: kinds[Self.bytes(parent)] = .dotted(table: table)
      case .dotted(let owner) where owner == table: break
      case .value: return "\(Self.shown(parent)) is a value, not a section"
      case .header, .implicit, .dotted:
        return "the section [\(Self.shown(parent))] occurs twice"
      }
    }
    guard kinds[Self.bytes(path)] == nil else { return "the key \(Self.shown(path)) occurs twice" }
    kinds[Self.bytes(path)] = .value
    return nil
  }

  private static func bytes(_ path: [String]) -> [[UInt8]] { path.map { Array($0.utf8) } }

  private static func shown(_ path: [String]) -> String {
    quotedExcerpt(path.joined(separator: "."))
  }
}
