/// Groups of elements that belong together, joined pair by pair (union-find), in four bytes an element.
struct DisjointSets: Sendable {
  private var parents: [UInt32] = []

  var count: Int { parents.count }

  /// Adds an element as a set of its own.
  ///
  /// - Returns: Its number.
  mutating func add() -> UInt32 {
    let number = UInt32(parents.count)
    parents.append(number)
    return number
  }

  /// Adds elements, each as a set of its own.
  mutating func add(_ count: Int) {
    parents.reserveCapacity(parents.count + count)
    for _ in 0..<count { _ = add() }
  }

  /// Appends other sets with their elements, whose numbers grow by the count so far.
  mutating func append(_ other: DisjointSets) {
    let base = UInt32(parents.count)
    for parent in other.parents { parents.append(parent + base) }
  }

  /// Removes all elements and keeps the memory for reuse.
  mutating func removeAll() { parents.removeAll(keepingCapacity: true) }

  /// Returns the representative of an element's set.
  mutating func root(of thing: UInt32) -> UInt32 {
    var thing = Int(thing)
    while true {
      let parent = Int(parents[thing])
      if parent == thing { return UInt32(thing) }
      // Path halving: the next search takes half as many steps.
      let grandparent = parents[parent]
      parents[thing] = grandparent
      thing = Int(grandparent)
    }
  }

  /// Joins the sets of two elements.
  mutating func unite(_ first: UInt32, _ second: UInt32) {
    let first = root(of: first)
    let second = root(of: second)
    if first < second { parents[Int(second)] = first } else { parents[Int(first)] = second }
  }
}
