/// A list that can be emptied and filled again millions of times.
///
/// Emptying an `Array` that keeps its capacity takes about 80 instructions, and every subscriber
/// has a dozen lists of two or three elements. Emptying this list only sets its count to 0. Old
/// elements stay in memory until they are overwritten, so they should not hold references.
@usableFromInline
package struct ReusableArray<Element>: RandomAccessCollection, MutableCollection {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var end = 0

  /// Creates an empty list.
  @inlinable
  package init() {}

  /// The first index, 0.
  @inlinable
  package var startIndex: Int { 0 }

  /// The number of elements.
  @inlinable
  package var endIndex: Int { end }

  /// The element at a position.
  @inlinable
  package subscript(position: Int) -> Element {
    get {
      precondition(position < end, "past the end of a list")
      return elements[position]
    }
    set {
      precondition(position < end, "past the end of a list")
      elements[position] = newValue
    }
    _modify {
      precondition(position < end, "past the end of a list")
      yield &elements[position]
    }
  }

  /// Adds an element at the end.
  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if end < elements.count {
      elements[end] = element
    } else {
      elements.append(element)
    }
    end &+= 1
  }

  /// Empties the list.
  @inlinable
  package mutating func removeAll() { end = 0 }
}

extension ReusableArray: Sendable where Element: Sendable {}
