/// A list that only grows and never moves its elements.
///
/// An array doubles when it is full and may then take three times the memory of its elements, too much for tens
/// of millions of transactions. This list takes at most one chunk of 512 elements more than it needs.
struct ChunkedList<Element: Sendable>: Sendable {
  private static var chunkBits: Int { 9 }
  private static var chunkLength: Int { 1 << chunkBits }

  private var chunks: [[Element]] = []
  private(set) var count = 0

  init() {}

  /// Joins lists; the order of elements changes, but full chunks are not copied.
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
