/// Why bytes could not be decoded, with the offset of the faulty byte.
package struct EncodingFault: Error, Equatable, Sendable {
  /// The expected encoding; codes never change.
  package enum Code: String, CaseIterable, Sendable {
    /// The text is not base64.
    case notBase64 = "not-base64"
    /// The text is not a JWS: three segments of URL-safe base64.
    case notAJWS = "not-a-jws"
    /// The bytes are not an app receipt: a PKCS#7 container of ASN.1 attributes.
    case notAnAppReceipt = "not-an-app-receipt"
    /// The text is not a property list of strings, the format of an iOS 6 receipt.
    case notAPropertyList = "not-a-property-list"
  }

  /// The expected encoding.
  package let code: Code
  /// The offset of the faulty byte in the bytes that were decoded.
  package let byteOffset: Int
  /// What was found, such as `a character outside base64`.
  package let found: String

  init(_ code: Code, at byteOffset: Int, found: String) {
    self.code = code
    self.byteOffset = byteOffset
    self.found = found
  }
}
