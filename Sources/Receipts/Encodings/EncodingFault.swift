/// Why bytes are not the encoding that they were taken for, and where.
public struct EncodingFault: Error, Equatable, Sendable {
  /// Which encoding is broken; codes never change.
  public enum Code: String, CaseIterable, Sendable {
    /// The text is not base64.
    case notBase64 = "not-base64"
    /// The text is not a JWS: three segments of URL-safe base64.
    case notAJWS = "not-a-jws"
    /// The bytes are not an app receipt: a PKCS#7 container of ASN.1 attributes.
    case notAnAppReceipt = "not-an-app-receipt"
    /// The text is not a property list of strings, as a receipt of iOS 6 is.
    case notAPropertyList = "not-a-property-list"
  }

  /// Which encoding is broken.
  public let code: Code
  /// The offset of the byte that the message is about, in the bytes that were decoded.
  public let byteOffset: Int
  /// What was found, such as `a character that base64 does not have`.
  public let found: String

  init(_ code: Code, at byteOffset: Int, found: String) {
    self.code = code
    self.byteOffset = byteOffset
    self.found = found
  }
}
