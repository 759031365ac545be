/// Writes ASN.1 elements in DER.
package enum DERWriter {
  /// Writes one element.
  ///
  /// - Parameters:
  ///   - tag: Its identifier octet.
  ///   - content: Its content.
  /// - Returns: Tag, length and content.
  package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = [UInt8(truncatingIfNeeded: content.count)]
    if content.count > 0x7F {
      length = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (24 - 8 * $0)) }
      length = Array(length.drop { $0 == 0 })
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [tag] + length + content
  }

  /// Writes a sequence.
  ///
  /// - Parameter elements: Its elements.
  /// - Returns: The sequence.
  package static func sequence(_ elements: [[UInt8]]) -> [UInt8] {
    element(0x30, elements.flatMap { $0 })
  }

  /// Writes a whole number.
  ///
  /// - Parameter number: The number.
  /// - Returns: The integer element, as short as it can be.
  package static func integer(_ number: Int) -> [UInt8] {
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    let isRedundant = { (bytes: [UInt8]) in
      bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80
    }
    while bytes.count > 1, isRedundant(bytes) { bytes.removeFirst() }
    return element(0x02, bytes)
  }

  /// Writes an object identifier.
  ///
  /// - Parameter content: Its encoded arcs.
  /// - Returns: The element.
  package static func objectIdentifier(_ content: [UInt8]) -> [UInt8] { element(0x06, content) }
}
