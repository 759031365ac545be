/// A byte buffer to which values are written, or from which they are read.
///
/// Symbols are stored as indices into ``symbols``. Large types such as the tally use this concrete
/// type in place of the protocol, because dynamic calls for each number would double the time.
@usableFromInline
package struct ValueBuffer: ValueCoder, Sendable {
  /// The bytes written, or the bytes to read.
  @usableFromInline
  package var bytes: [UInt8] = []
  @usableFromInline
  var offset = 0
  @usableFromInline
  var end = 0
  /// Whether values are read; otherwise they are written.
  @usableFromInline
  package let isReading: Bool
  /// Whether everything read so far was complete and valid.
  @usableFromInline
  package private(set) var isValid = true
  /// The run's symbol for each number in the buffer, for reading.
  private var runSymbols: [Symbol] = []
  private var numbers = LocalNumbers()
  /// Whether symbols are written as the run's numbers, to sort values.
  private var keepsSymbols = false

  /// Creates a buffer to write to.
  package init() { isReading = false }

  /// Creates a buffer to read from.
  ///
  /// - Parameters:
  ///   - bytes: Bytes that another buffer wrote.
  ///   - symbols: The run's symbol for each number in that buffer.
  package init(reading bytes: [UInt8], _ symbols: [Symbol] = []) {
    isReading = true
    self.bytes = bytes
    runSymbols = symbols
    end = bytes.count
  }

  /// The run's symbols that were written, in the order of their numbers in the buffer.
  package var symbols: [Symbol] { numbers.inOrder }

  /// Whether all bytes have been read.
  package var isAtEnd: Bool { offset == end }

  /// Begins to read other bytes, which the caller has put into ``bytes``.
  ///
  /// - Parameter range: The bytes to read.
  package mutating func restart(_ range: Range<Int>) {
    (offset, end) = (range.lowerBound, range.upperBound)
    isValid = true
  }

  /// Marks the bytes being read as invalid.
  @usableFromInline
  package mutating func fail() {
    precondition(isReading, "writing cannot fail")
    isValid = false
  }

  /// Codes a number with seven bits in each byte, the lowest first.
  ///
  /// - Parameter value: The number.
  @inlinable
  package mutating func number(_ value: inout UInt64) {
    if isReading { return read(&value) }
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  @inlinable
  mutating func read(_ value: inout UInt64) {
    value = 0
    var shift: UInt64 = 0
    while offset < end, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return }
      shift += 7
    }
    fail()
  }

  /// Codes a symbol as a number within the buffer, 0 for the first one written.
  ///
  /// - Parameter value: The symbol of the run.
  @usableFromInline
  package mutating func symbol(_ value: inout Symbol) {
    if isReading {
      var local: UInt64 = 0
      number(&local)
      guard isValid, local < runSymbols.count else { return fail() }
      value = runSymbols[Int(local)]
    } else if keepsSymbols {
      var number = UInt64(value)
      self.number(&number)
    } else {
      var local = UInt64(numbers.number(of: value).number)
      number(&local)
    }
  }

  /// Codes bytes as they are.
  ///
  /// - Parameter run: The bytes.
  @usableFromInline
  package mutating func run(_ run: inout [UInt8]) {
    var count = UInt64(run.count)
    number(&count)
    guard isReading else {
      bytes += run
      return
    }
    guard let range = take(count) else { return }
    run = Array(bytes[range])
  }

  @usableFromInline
  package func inOrder<Value>(
    _ values: [Value], _ code: (inout Value, inout ValueBuffer) -> Void
  ) -> [Value] {
    guard values.count > 1 else { return values }
    var buffer = ValueBuffer()
    buffer.keepsSymbols = true
    var ends = [0]
    for value in values {
      var value = value
      code(&value, &buffer)
      ends.append(buffer.bytes.count)
    }
    let bytes = buffer.bytes
    let order = values.indices.sorted { first, second in
      bytes[ends[first]..<ends[first + 1]].lexicographicallyPrecedes(
        bytes[ends[second]..<ends[second + 1]])
    }
    return order.map { values[$0] }
  }

  /// Skips bytes while reading.
  ///
  /// - Parameter count: How many.
  /// - Returns: Their range in ``bytes``; `nil` if there are fewer.
  package mutating func take(_ count: UInt64) -> Range<Int>? {
    guard isValid, count <= UInt64(end - offset) else {
      fail()
      return nil
    }
    defer { offset += Int(count) }
    return offset..<offset + Int(count)
  }
}

extension ValueCoder {
  /// Codes many numbers faster, through a ``ValueBuffer``.
  ///
  /// - Parameter code: Codes the value with a buffer; its symbols and bytes are stored by this
  ///   coder.
  package mutating func buffered(_ code: (inout ValueBuffer) -> Void) {
    var buffer = ValueBuffer()
    if !isReading { code(&buffer) }
    var (symbols, bytes) = (buffer.symbols, buffer.bytes)
    list(&symbols, blank: .blank) { $1.symbol(&$0) }
    run(&bytes)
    guard isReading, isValid else { return }
    buffer = ValueBuffer(reading: bytes, symbols)
    code(&buffer)
    if !buffer.isValid || !buffer.isAtEnd { fail() }
  }
}
