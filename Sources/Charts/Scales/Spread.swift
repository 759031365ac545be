/// Moves labels apart that would overlap.
enum Spread {
  /// Returns positions at least a gap apart, in the order of the wanted ones and as near to them as possible.
  ///
  /// - Parameters:
  ///   - wanted: The wanted positions, in any order; of equal ones the first comes first.
  ///   - gap: The least distance between two.
  ///   - range: The range of all positions; left at its end if they need more.
  /// - Returns: The positions, in the order of `wanted`.
  static func positions(_ wanted: [Double], gap: Double, in range: ClosedRange<Double>) -> [Double]
  {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    // Groups of labels that touch each other: the position of the first if all are as near as possible, and how many.
    var groups: [(start: Double, count: Int)] = []
    for index in order {
      var group = (start: clamped(wanted[index], 1, gap, range), count: 1)
      while let above = groups.last, above.start + Double(above.count) * gap > group.start {
        groups.removeLast()
        let shifted = group.start - Double(above.count) * gap
        let count = above.count + group.count
        let start =
          (above.start * Double(above.count) + shifted * Double(group.count)) / Double(count)
        group = (clamped(start, count, gap, range), count)
      }
      groups.append(group)
    }
    var result = wanted
    var next = order.makeIterator()
    for group in groups {
      for place in 0..<group.count {
        if let index = next.next() { result[index] = group.start + Double(place) * gap }
      }
    }
    return result
  }

  private static func clamped(
    _ start: Double, _ count: Int, _ gap: Double, _ range: ClosedRange<Double>
  ) -> Double {
    max(range.lowerBound, min(start, range.upperBound - Double(count - 1) * gap))
  }
}
