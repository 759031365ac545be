/// Which of many things belong together, found out pair by pair (union-find), in four bytes a thing.
struct DisjointSets: Sendable {
  private var parents: [UInt32] = []

  var count: Int { parents.count }

  /// Adds a thing that belongs to nothing else.
  ///
  /// - Returns: Its number.
  mutating func add() -> UInt32 {
    let number = UInt32(parents.count)
    parents.append(number)
    return number
  }

  /// Adds things that belong to nothing else.
  mutating func add(_ count: Int) {
    parents.reserveCapacity(parents.count + count)
    for _ in 0..<count { _ = add() }
  }

  /// Adds the things of other sets, which keep together; their numbers grow by the count so far.
  mutating func append(_ other: DisjointSets) {
    let base = UInt32(parents.count)
    for parent in other.parents { parents.append(parent + base) }
  }

  /// Forgets everything and keeps the room.
  mutating func removeAll() { parents.removeAll(keepingCapacity: true) }

  /// Returns the one thing that stands for all that belong together.
  mutating func root(of thing: UInt32) -> UInt32 {
    var thing = Int(thing)
    while true {
      let parent = Int(parents[thing])
      if parent == thing { return UInt32(thing) }
      // Halving the path: whoever asks again has half the way.
      let grandparent = parents[parent]
      parents[thing] = grandparent
      thing = Int(grandparent)
    }
  }

  /// Brings two things, and all that belong to them, together.
  mutating func unite(_ first: UInt32, _ second: UInt32) {
    let first = root(of: first)
    let second = root(of: second)
    if first < second { parents[Int(second)] = first } else { parents[Int(first)] = second }
  }
}
