import Files
import Synchronization

/// The first elements of many, in an order: those that a list prints.
///
/// They are in chunks. Without a limit no element is copied when the list grows, is merged or is sorted, and a long list
/// goes to a temporary file if its elements can.
package struct FirstElements<Element: Sendable>: Sendable {
  private var chunks: [ElementChunk<Element>] = []
  private var count = 0
  private let limit: Int?
  private let key: (@Sendable (Element) -> UInt64)?
  private let precedes: @Sendable (Element, Element) -> Bool
  private let makeStore: @Sendable () -> ElementStore<Element>?
  private var store: ElementStore<Element>?
  /// The index of the first chunk that may be in memory: all before are in files, or could not be written.
  private var firstInMemory = 0

  /// How many elements beyond twice the limit are kept before the last ones are dropped.
  private static var spare: Int { 4_096 }
  /// The number of full chunks that stay in memory.
  private static var chunksInMemory: Int { 32 }

  /// Creates an empty list; `nil` as the limit is for all elements.
  ///
  /// `key` returns a number that never falls in the order, so that few elements must be compared as a whole. `store` makes
  /// a file for the elements beyond some thousands; `nil` for elements that stay in memory.
  package init(
    limit: Int?, key: (@Sendable (Element) -> UInt64)? = nil,
    store: @escaping @Sendable () -> ElementStore<Element>? = { nil },
    by precedes: @escaping @Sendable (Element, Element) -> Bool
  ) {
    (self.limit, self.key, self.precedes) = (limit, key, precedes)
    // A limit keeps the list short, and without keys all elements would be read from the file to sort them.
    let isStored = limit == nil && key != nil
    makeStore = { isStored ? store() : nil }
  }

  package mutating func add(_ element: Element) {
    append(element)
    dropLast()
  }

  /// Adds the elements of another list with the same limit and order.
  package mutating func merge(_ other: Self) {
    chunks += other.chunks
    count += other.count
    storeChunks()
    dropLast()
  }

  private mutating func append(_ element: Element) {
    if case .memory(var last)? = chunks.last, last.count < ElementChunk<Element>.length {
      // The chunk is taken out, so that it is not copied.
      chunks[chunks.count - 1] = .memory([])
      last.append(element)
      chunks[chunks.count - 1] = .memory(last)
    } else {
      storeChunks()
      chunks.append(.memory([element]))
    }
    count += 1
  }

  /// Moves chunks to a file, if there are too many in memory and the file has room.
  ///
  /// They are sorted, so that the elements of the whole list are read back in few blocks.
  private mutating func storeChunks() {
    guard chunks.count - firstInMemory > Self.chunksInMemory else { return }
    if store == nil { store = makeStore() }
    if let store, let key {
      let stored = chunks[firstInMemory...].filter { !$0.isInMemory }
      let moved = chunks[firstInMemory...].filter(\.isInMemory).flatMap(\.elements)
      let order = moved.indices.map { (key: key(moved[$0]), index: $0) }.sorted { $0.key < $1.key }
      if let start = store.append(order.map { moved[$0.index] }) {
        let length = ElementChunk<Element>.length
        chunks.removeSubrange(firstInMemory...)
        chunks += stored
        for first in stride(from: 0, to: moved.count, by: length) {
          chunks.append(.stored(store, at: start + first, count: min(length, moved.count - first)))
        }
      }
    }
    firstInMemory = chunks.count
  }

  private mutating func dropLast() {
    guard let limit, count > 2 * limit + Self.spare else { return }
    let kept = inOrder
    (chunks, count, firstInMemory) = ([], 0, 0)
    for element in kept { append(element) }
  }

  package var inOrder: [Element] { Array(ordered) }

  /// The first elements, in order, without a copy of them.
  package var ordered: OrderedElements<Element> {
    var keys: [(key: UInt64, place: UInt32)] = []
    keys.reserveCapacity(count)
    for (number, chunk) in chunks.enumerated() {
      for (index, element) in chunk.elements.enumerated() {
        keys.append((key?(element) ?? 0, UInt32(number * ElementChunk<Element>.length + index)))
      }
    }
    let all = OrderedElements(chunks: chunks, places: [])
    keys.sort { left, right in
      left.key == right.key
        ? precedes(all.element(left.place), all.element(right.place)) : left.key < right.key
    }
    var places = keys.map(\.place)
    if let limit, limit < places.count { places = Array(places.prefix(limit)) }
    return OrderedElements(chunks: chunks, places: places)
  }
}

/// The elements of a list in order: four bytes for each, besides the list.
package struct OrderedElements<Element: Sendable>: RandomAccessCollection, Sendable {
  fileprivate let chunks: [ElementChunk<Element>]
  fileprivate let places: [UInt32]

  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  package subscript(index: Int) -> Element { element(places[index]) }

  fileprivate func element(_ place: UInt32) -> Element {
    let (chunk, index) = Int(place).quotientAndRemainder(dividingBy: ElementChunk<Element>.length)
    return switch chunks[chunk] {
    case .memory(let elements): elements[index]
    case .stored(let store, let start, _): store.element(start + index)
    }
  }

  /// The elements in the order in which a file has them, which is quicker to read.
  package var inAnyOrder: some Sequence<Element> {
    let isWhole = places.count == chunks.reduce(0) { $0 + $1.count }
    return isWhole
      ? AnySequence(chunks.lazy.flatMap(\.elements)) : AnySequence(self)
  }
}

/// Some elements of a long list, in memory or in a file.
private enum ElementChunk<Element: Sendable>: Sendable {
  case memory([Element])
  case stored(ElementStore<Element>, at: Int, count: Int)

  /// The maximum number of elements in a chunk.
  static var length: Int { 256 }

  var isInMemory: Bool { if case .memory = self { true } else { false } }

  var count: Int {
    switch self {
    case .memory(let elements): elements.count
    case .stored(_, _, let count): count
    }
  }

  var elements: [Element] {
    switch self {
    case .memory(let elements): elements
    case .stored(let store, let start, let count): store.elements(start, count)
    }
  }
}

/// Keeps elements of a long list outside of memory.
package struct ElementStore<Element: Sendable>: Sendable {
  /// Adds elements, and returns the index of the first; `nil` if there is no room.
  package let append: @Sendable ([Element]) -> Int?
  /// Returns some elements, given the index of the first and their number.
  package let elements: @Sendable (Int, Int) -> [Element]
  /// Returns one element; quick if others near it were read lately.
  package let element: @Sendable (Int) -> Element

  package init(
    append: @escaping @Sendable ([Element]) -> Int?,
    elements: @escaping @Sendable (Int, Int) -> [Element],
    element: @escaping @Sendable (Int) -> Element
  ) {
    (self.append, self.elements, self.element) = (append, elements, element)
  }
}

/// The blocks of a file that were read last.
private struct ElementBlocks<Element: BitwiseCopyable & Sendable>: Sendable {
  /// How many elements a block has, and how many blocks are kept: some megabytes of contributions.
  private static var length: Int { 32 }
  private static var kept: Int { 512 }

  let file: SpillFile<Element>
  /// The number of elements up to the last that was written.
  var end = 0
  private var numbers = Array(repeating: -1, count: Self.kept)
  private var blocks = Array(repeating: [Element](), count: Self.kept)

  init(of file: SpillFile<Element>) { self.file = file }

  mutating func element(_ index: Int) -> Element {
    let (number, place) = index.quotientAndRemainder(dividingBy: Self.length)
    let slot = number % Self.kept
    if numbers[slot] != number {
      let start = number * Self.length
      blocks[slot] = file.elements(min(Self.length, end - start), at: start)
      numbers[slot] = number
    }
    return blocks[slot][place]
  }
}

extension ElementStore where Element: BitwiseCopyable {
  /// Returns a store in a temporary file; `nil` if none can be made.
  package static func file() -> ElementStore? {
    guard let file = try? SpillFile<Element>(in: TemporaryFile.folder) else { return nil }
    let blocks = Mutex(ElementBlocks(of: file))
    return ElementStore(
      append: { elements in
        guard let start = file.append(elements) else { return nil }
        blocks.withLock { $0.end = max($0.end, start + elements.count) }
        return start
      }, elements: { first, count in file.elements(count, at: first) },
      element: { index in blocks.withLock { $0.element(index) } })
  }
}
