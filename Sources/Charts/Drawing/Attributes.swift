/// The attributes of an element, in the order of writing.
struct Attributes: ExpressibleByDictionaryLiteral {
  private(set) var pairs: [(name: String, value: String)]

  init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { (name: $0.0, value: $0.1) }
  }

  /// Returns these attributes and others after them.
  static func + (left: Attributes, right: Attributes) -> Attributes {
    var sum = left
    sum.pairs += right.pairs
    return sum
  }
}
