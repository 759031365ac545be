/// A list that only grows and never moves what it holds.
///
/// An array that is doubled when it is full may take three times what it holds; with tens of millions of
/// transactions that is what decides. A list takes one chunk more than it holds.
struct ChunkedList<Element: Sendable>: Sendable {
  private static var chunkBits: Int { 9 }
  private static var chunkLength: Int { 1 << chunkBits }

  private var chunks: [[Element]] = []
  private(set) var count = 0

  init() {}

  /// Puts lists together; their elements change places, but full chunks are not copied.
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
