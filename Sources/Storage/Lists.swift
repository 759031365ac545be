extension Sequence where Element: Hashable {
  /// The elements in order, without repetitions.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence<String> {
  /// The texts in order, without repetitions of the same bytes.
  package var unique: [String] {
    var seen: Set<ExactText> = []
    return filter { seen.insert($0) }
  }
}

extension [String] {
  /// Returns the first texts and the count of the others, such as `a, b, c and 2 more`.
  package func listed(atMost limit: Int = 3) -> String {
    let rest = count > limit ? " and \(count - limit) more" : ""
    return prefix(limit).joined(separator: ", ") + rest
  }

  /// Returns `a`, `a and b`, or `a, b and c`.
  package func inWords(_ conjunction: String = "and") -> String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}
