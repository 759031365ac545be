/// The numbers that what is written has of its own for those of the run: 0 for what is met first, 1 for the
/// second.
public struct LocalNumbers: Sendable {
  /// The run's number of each of them.
  public private(set) var inOrder: [UInt32] = []
  /// For each number of the run how many there were here with it; 0 for none yet.
  private var countWith: [UInt32] = []

  /// Creates a list without numbers.
  public init() {}

  /// Forgets all numbers and keeps the room.
  public mutating func removeAll() {
    for value in inOrder { countWith[Int(value)] = 0 }
    inOrder.removeAll(keepingCapacity: true)
  }

  /// Returns the own number of one of the run's, a new one if that is met first.
  ///
  /// - Parameter value: The run's number.
  /// - Returns: The own number, and whether it is new.
  public mutating func number(of value: UInt32) -> (number: UInt32, isNew: Bool) {
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
