/// The tables and keys found in a config file, to detect names that occur twice.
struct TOMLNames {
  private enum Kind {
    /// A value or an inline table, to which nothing can be added.
    case value
    /// `[a.b]`.
    case header
    /// `a` of `[a.b]`, which may still get a header.
    case implicit
    /// `a` of `a.b = 1`, with the table in which the key is written.
    case dotted(table: [String])
  }

  private var kinds: [[String]: Kind] = [:]

  /// Adds the table of a header.
  ///
  /// - Returns: An error message, or nil.
  mutating func addTable(_ path: [String]) -> String? {
    for count in 1..<max(1, path.count) {
      let parent = Array(path[..<count])
      switch kinds[parent] {
      case .value: return "\(Self.shown(parent)) is a value and no section"
      case nil: kinds[parent] = .implicit
      case .header, .implicit, .dotted: break
      }
    }
    switch kinds[path] {
    case nil, .implicit: kinds[path] = .header
    case .value: return "\(Self.shown(path)) is a value and no section"
    case .header, .dotted: return "the section [\(Self.shown(path))] is there twice"
    }
    return nil
  }

  /// Adds a key.
  ///
  /// - Parameters:
  ///   - path: The path of the key.
  ///   - table: The path of the table in which it is written.
  /// - Returns: An error message, or nil.
  mutating func addValue(_ path: [String], in table: [String]) -> String? {
    for count in (table.count + 1)..<max(table.count + 1, path.count) {
      let parent = Array(path[..<count])
      switch kinds[parent] {
      case nil: kinds[parent] = .dotted(table: table)
      case .dotted(let owner) where owner == table: break
      case .value: return "\(Self.shown(parent)) is a value and no section"
      case .header, .implicit, .dotted:
        return "the section [\(Self.shown(parent))] is there twice"
      }
    }
    guard kinds[path] == nil else { return "the key \(Self.shown(path)) is there twice" }
    kinds[path] = .value
    return nil
  }

  private static func shown(_ path: [String]) -> String {
    quotedExcerpt(path.joined(separator: "."))
  }
}
