/// Renumbers numbers of a run for one cache entry or buffer, in order of first use, from 0.
package struct LocalNumbers: Sendable {
  /// The run's number for each local number.
  package private(set) var inOrder: [UInt32] = []
  /// For each of the run's numbers, its local number plus 1; 0 if it has none yet.
  private var countWith: [UInt32] = []

  /// Creates an empty mapping.
  package init() {}

  /// Removes all numbers and keeps the memory for reuse.
  package mutating func removeAll() {
    for value in inOrder { countWith[Int(value)] = 0 }
    inOrder.removeAll(keepingCapacity: true)
  }

  /// Returns the local number of one of the run's numbers, adding it if it is new.
  ///
  /// - Parameter value: The run's number.
  /// - Returns: The local number, and whether it is new.
  package mutating func number(of value: UInt32) -> (number: UInt32, isNew: Bool) {
    let index = Int(value)
    if index >= countWith.count {
      countWith.append(contentsOf: repeatElement(0, count: index + 1 - countWith.count))
    }
    let isNew = countWith[index] == 0
    if isNew {
      inOrder.append(value)
      countWith[index] = UInt32(inOrder.count)
    }
    return (countWith[index] - 1, isNew)
  }
}
