/// Disjoint sets of elements, joined pair by pair (union-find), in four bytes for each element.
struct DisjointSets: Sendable {
  private var parents: [UInt32] = []

  var count: Int { parents.count }

  /// Adds a set of one element.
  ///
  /// - Returns: The element's number.
  mutating func add() -> UInt32 {
    let number = UInt32(parents.count)
    parents.append(number)
    return number
  }

  /// Adds sets of one element each.
  mutating func add(_ count: Int) {
    parents.reserveCapacity(parents.count + count)
    for _ in 0..<count { _ = add() }
  }

  /// Appends other sets; the numbers of their elements increase by the count so far.
  mutating func append(_ other: DisjointSets) {
    let base = UInt32(parents.count)
    for parent in other.parents { parents.append(parent + base) }
  }

  /// Removes all elements and keeps the memory for reuse.
  mutating func removeAll() { parents.removeAll(keepingCapacity: true) }

  /// Returns the representative of an element's set.
  mutating func root(of element: UInt32) -> UInt32 {
    var element = Int(element)
    while true {
      let parent = Int(parents[element])
      if parent == element { return UInt32(element) }
      // Path halving: the next search takes half as many steps.
      let grandparent = parents[parent]
      parents[element] = grandparent
      element = Int(grandparent)
    }
  }

  /// Joins the sets of two elements.
  mutating func unite(_ first: UInt32, _ second: UInt32) {
    let first = root(of: first)
    let second = root(of: second)
    if first < second { parents[Int(second)] = first } else { parents[Int(first)] = second }
  }
}
