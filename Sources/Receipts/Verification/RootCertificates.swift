import SwiftASN1
import X509

/// The root certificates that the user trusts.
///
/// Apple signs JWS under Apple Root CA - G3, and app receipts under Apple Inc. Root.
package struct RootCertificates: Sendable {
  /// Why a file is not a root certificate.
  package enum Fault: Error, Equatable, Sendable {
    /// The file holds PEM text.
    case isPEM
    /// The file holds something other than one certificate.
    case isNoCertificate

    /// What was found and what was expected, in lower case and without a full stop.
    package var message: String {
      switch self {
      case .isPEM: "found a PEM file, expected a certificate in DER (openssl x509 -outform DER)"
      case .isNoCertificate: "found no certificate, expected one in DER"
      }
    }
  }

  private(set) var certificates: [Certificate] = []
  /// The added certificates in DER.
  package private(set) var encoded: [[UInt8]] = []

  /// Creates a set without certificates.
  package init() {}

  /// Adds a root certificate.
  ///
  /// - Parameter file: The file's bytes: one certificate in DER.
  /// - Throws: ``Fault`` for other bytes.
  package mutating func add(_ file: [UInt8]) throws(Fault) {
    if file.starts(with: Array("-----BEGIN".utf8)) { throw .isPEM }
    guard let certificate = certificate(file) else { throw .isNoCertificate }
    certificates.append(certificate)
    encoded.append(file)
  }
}

/// The longest certificate in bytes: real ones take up to 2 KiB, and SwiftASN1 up to fifty times
/// the length.
private let longestCertificate = 1 << 14

/// Reads a certificate in DER.
///
/// - Returns: The certificate, or nil if the bytes are not one or are longer than 16 KiB.
func certificate(_ bytes: [UInt8]) -> Certificate? {
  guard bytes.count <= longestCertificate else { return nil }
  return try? Certificate(derEncoded: bytes)
}

/// Reads the name of a subject or an issuer in DER.
///
/// - Returns: The name, or nil if the bytes are not one or are longer than 16 KiB.
func distinguishedName(_ bytes: [UInt8]) -> DistinguishedName? {
  guard bytes.count <= longestCertificate else { return nil }
  return try? DistinguishedName(derEncoded: DER.parse(bytes))
}
