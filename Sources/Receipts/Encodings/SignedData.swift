import Scanning

/// The container of an app receipt: a PKCS#7 `SignedData` (RFC 5652).
struct SignedData {
  /// The signed content: an octet string, which BER may split into several.
  private let content: BERReader.Element
  /// The certificates and signers, after the content.
  let rest: BERReader

  private static let signedDataType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
  static let dataType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]

  /// Finds the content; certificates and signers are not read.
  init(_ bytes: Span<UInt8>) throws(EncodingFault) {
    var outermost = BERReader(0..<bytes.count)
    var container = BERReader(try outermost.next(BERReader.Tag.sequence, bytes))
    guard outermost.isAtEnd else {
      throw .damagedReceipt(at: outermost.offset, found: "more data after the receipt")
    }
    try Self.expect(Self.signedDataType, &container, bytes)
    var wrapper = BERReader(try container.next(BERReader.Tag.context0, bytes))
    var signedData = BERReader(try wrapper.next(BERReader.Tag.sequence, bytes))
    _ = try signedData.next(BERReader.Tag.integer, bytes)
    _ = try signedData.next(BERReader.Tag.set, bytes)

    var encapsulated = BERReader(try signedData.next(BERReader.Tag.sequence, bytes))
    try Self.expect(Self.dataType, &encapsulated, bytes)
    var explicit = BERReader(try encapsulated.next(BERReader.Tag.context0, bytes))
    content = try explicit.next(bytes)
    rest = signedData
  }

  private static func expect(
    _ type: [UInt8], _ reader: inout BERReader, _ bytes: Span<UInt8>
  ) throws(EncodingFault) {
    let found = try reader.next(BERReader.Tag.objectIdentifier, bytes)
    guard matches(bytes, found, type) else {
      throw .damagedReceipt(
        at: found.lowerBound, found: "a PKCS#7 container with other content")
    }
  }

  /// Copies the whole content into a buffer, and replaces the buffer's contents.
  func copyContent(_ bytes: Span<UInt8>, into buffer: inout [UInt8]) throws(EncodingFault) {
    buffer.removeAll(keepingCapacity: true)
    switch content.tag {
    case BERReader.Tag.octetString:
      buffer.append(bytes, content.content)
    case BERReader.Tag.constructedOctetString:
      var pieces = BERReader(content.content)
      while !pieces.isAtEnd {
        buffer.append(bytes, try pieces.next(BERReader.Tag.octetString, bytes))
      }
    default:
      throw .damagedReceipt(at: content.whole.lowerBound)
    }
  }
}
