/// A list that only grows, in chunks of 512 elements, and never moves its elements.
///
/// A full array doubles, and needs three times the memory of its elements while it does: too much
/// for tens of millions of transactions. This list needs at most one chunk more than its elements.
struct ChunkedList<Element: Sendable>: Sendable {
  private static var chunkBits: Int { 9 }
  private static var chunkLength: Int { 1 << chunkBits }

  private var chunks: [[Element]] = []
  private(set) var count = 0

  init() {}

  /// Concatenates lists, in an order in which full chunks need not be copied.
  init(joining lists: consuming [ChunkedList]) {
    var rests: [[Element]] = []
    while let list = lists.popLast() {
      for chunk in list.chunks {
        if chunk.count == Self.chunkLength {
          chunks.append(chunk)
          count += chunk.count
        } else {
          rests.append(chunk)
        }
      }
    }
    for element in rests.joined() { append(element) }
  }

  var indices: Range<Int> { 0..<count }

  subscript(index: Int) -> Element {
    get { chunks[index >> Self.chunkBits][index & (Self.chunkLength - 1)] }
    _modify { yield &chunks[index >> Self.chunkBits][index & (Self.chunkLength - 1)] }
  }

  mutating func append(_ element: Element) {
    if count & (Self.chunkLength - 1) == 0 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.chunkLength)
    }
    chunks[chunks.count - 1].append(element)
    count += 1
  }
}
