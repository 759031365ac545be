import Scanning

/// The positions of the three segments of a JWS in compact form (RFC 7515).
///
/// `header.payload.signature`, each in URL-safe base64: Apple's format for signed transactions,
/// renewal infos and notifications. Creating a value decodes nothing.
package struct JWS: Equatable, Sendable {
  /// Where the header is.
  package let header: Range<Int>
  /// Where the payload is.
  package let payload: Range<Int>
  /// Where the signature is; may be empty, because only a verifier needs it.
  package let signature: Range<Int>

  /// The range that the signature covers: header, dot and payload.
  package var signed: Range<Int> { header.lowerBound..<payload.upperBound }

  /// Finds the segments.
  ///
  /// - Parameters:
  ///   - text: The bytes that hold the JWS.
  ///   - range: Where it is.
  /// - Throws: ``EncodingFault/Code/notAJWS`` if there are not exactly three segments, or if the header or
  ///   the payload is empty.
  package init(splitting text: Span<UInt8>, _ range: Range<Int>) throws(EncodingFault) {
    let firstDot = Self.dot(text, range)
    let secondDot = firstDot.map { Self.dot(text, $0 + 1..<range.upperBound) } ?? nil
    guard let firstDot, let secondDot else {
      throw EncodingFault(.notAJWS, at: range.upperBound, found: Self.notThreeSegments)
    }
    header = range.lowerBound..<firstDot
    payload = firstDot + 1..<secondDot
    signature = secondDot + 1..<range.upperBound
    if let thirdDot = Self.dot(text, signature) {
      throw EncodingFault(.notAJWS, at: thirdDot, found: Self.notThreeSegments)
    }
    if header.isEmpty || payload.isEmpty {
      let empty = header.isEmpty ? header : payload
      throw EncodingFault(.notAJWS, at: empty.lowerBound, found: "an empty header or payload")
    }
  }

  /// Decodes the payload, which is JSON, into a buffer.
  ///
  /// - Parameters:
  ///   - text: The bytes that hold the JWS.
  ///   - bytes: The buffer, whose content is replaced.
  /// - Throws: ``EncodingFault/Code/notBase64``.
  package func decodePayload(
    _ text: Span<UInt8>, into bytes: inout [UInt8]
  ) throws(EncodingFault) {
    try Base64.decode(text, payload, .urlSafe, into: &bytes)
  }

  private static let notThreeSegments = "text that is not three parts with dots between them"

  private static func dot(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    firstOffset(of: UInt8(ascii: "."), in: text, from: range.lowerBound, to: range.upperBound)
  }
}
