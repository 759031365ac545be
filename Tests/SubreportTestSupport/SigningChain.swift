import Crypto
import CryptoExtras
import FoundationEssentials
import SwiftASN1
import X509

/// A root, an intermediate authority and a signer like Apple's, made for a test, with the signer's
/// key: it signs JWS (elliptic keys) or app receipts (RSA keys).
package struct SigningChain: Sendable {
  /// How a chain is made; by default as Apple makes them.
  package struct Options: Sendable {
    /// Whether the signer carries Apple's mark for signing receipts.
    package var signerIsMarked = true
    /// Whether the intermediate carries Apple's mark for Worldwide Developer Relations.
    package var intermediateIsMarked = true
    /// Whether the intermediate may issue certificates.
    package var intermediateIsAuthority = true
    /// Whether the intermediate's key issued the signer's certificate.
    package var signerIsIssuedByIntermediate = true
    /// Whether the root issued the signer's certificate itself.
    package var signerIsIssuedByRoot = false
    /// The first day on which the signer's certificate is valid, as seconds since 1970.
    package var firstSecond = 1_640_995_200
    /// The last second at which it is.
    package var lastSecond = 1_735_689_599
    /// Whether the keys are RSA keys, which sign app receipts; else they are P-256 keys.
    package var usesRSA = false
    /// Whether it has other keys than chains usually have: somebody else's chain.
    package var hasOtherKeys = false
    /// How the certificates are told apart from those of other chains.
    package var name = "Test"

    /// Creates the options of a chain like Apple's, valid from 2022 to 2024.
    package init() {}

    /// Those of a chain that differs from the usual one only in its keys.
    package static var others: Options {
      var options = Options()
      options.hasOtherKeys = true
      return options
    }
  }

  /// The root certificate in DER.
  package let root: [UInt8]
  /// The intermediate's certificate in DER.
  package let intermediate: [UInt8]
  /// The signer's certificate in DER.
  package let signer: [UInt8]
  /// The name of the signer's issuer in DER.
  package let issuerName: [UInt8]
  /// The serial number of the signer's certificate, without tag and length.
  package let serialNumber: [UInt8]

  private let key: SigningKey

  /// Makes a chain with keys that are made for tests.
  ///
  /// - Parameter options: How it deviates from Apple's.
  /// - Throws: What X509 throws.
  package init(_ options: Options = Options()) throws {
    let keys = TestKeys.keys(ofOthers: options.hasOtherKeys)
    let others = TestKeys.keys(ofOthers: !options.hasOtherKeys)
    let rootKey = try SigningKey(keys.root, usesRSA: options.usesRSA)
    let intermediateKey = try SigningKey(keys.intermediate, usesRSA: options.usesRSA)
    key = try SigningKey(keys.signer, usesRSA: options.usesRSA)
    let stranger = try SigningKey(others.intermediate, usesRSA: options.usesRSA)
    let rootName = try DistinguishedName { CommonName("\(options.name) Root") }
    let intermediateName = try DistinguishedName { CommonName("\(options.name) Intermediate") }
    let signerName = try DistinguishedName { CommonName("\(options.name) Signer") }
    let always = 1_136_073_600...2_051_222_399
    let authority = BasicConstraints.isCertificateAuthority(maxPathLength: nil)

    root = try Self.certificate(
      rootName, rootKey, issuer: rootName, rootKey, always, serial: 1, authority, mark: nil)
    intermediate = try Self.certificate(
      intermediateName, intermediateKey, issuer: rootName, rootKey, always, serial: 2,
      options.intermediateIsAuthority ? authority : .notCertificateAuthority,
      mark: options.intermediateIsMarked ? [1, 2, 840, 113_635, 100, 6, 2, 1] : nil)
    let issuer = options.signerIsIssuedByRoot ? rootName : intermediateName
    let issuerKey = options.signerIsIssuedByRoot ? rootKey : intermediateKey
    signer = try Self.certificate(
      signerName, key, issuer: issuer,
      options.signerIsIssuedByIntermediate ? issuerKey : stranger,
      options.firstSecond...options.lastSecond, serial: 3, .notCertificateAuthority,
      mark: options.signerIsMarked ? [1, 2, 840, 113_635, 100, 6, 11, 1] : nil)
    var serializer = DER.Serializer()
    try issuer.serialize(into: &serializer)
    issuerName = serializer.serializedBytes
    serialNumber = [3]
  }

  /// Signs bytes: as a JWS of ES256 is signed, or, with an RSA key, as PKCS#1 v1.5 does.
  ///
  /// - Parameters:
  ///   - bytes: What to sign.
  ///   - withSHA1: Whether an RSA key signs a SHA-1 digest, not a SHA-256 one.
  /// - Returns: The signature.
  /// - Throws: What Crypto throws.
  package func signature(of bytes: [UInt8], withSHA1: Bool = false) throws -> [UInt8] {
    try key.signature(of: bytes, withSHA1: withSHA1)
  }

  private static func certificate(
    _ subject: DistinguishedName, _ key: SigningKey, issuer: DistinguishedName,
    _ issuerKey: SigningKey, _ seconds: ClosedRange<Int>, serial: Int,
    _ constraints: BasicConstraints, mark: ASN1ObjectIdentifier?
  ) throws -> [UInt8] {
    var extensions = try Certificate.Extensions { Critical(constraints) }
    if let mark {
      try extensions.append(Certificate.Extension(oid: mark, critical: false, value: [5, 0]))
    }
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(serial), publicKey: key.certificateKey.publicKey,
      notValidBefore: Date(timeIntervalSince1970: Double(seconds.lowerBound)),
      notValidAfter: Date(timeIntervalSince1970: Double(seconds.upperBound)),
      issuer: issuer, subject: subject, extensions: extensions,
      issuerPrivateKey: issuerKey.certificateKey)
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }
}

/// A private key of either kind.
private enum SigningKey: Sendable {
  case elliptic(P256.Signing.PrivateKey)
  case rsa(_RSA.Signing.PrivateKey)

  init(_ key: TestKeys.Pair, usesRSA: Bool) throws {
    self =
      usesRSA
      ? .rsa(try .init(derRepresentation: try Self.bytes(key.rsa)))
      : .elliptic(try .init(rawRepresentation: try Self.bytes(key.elliptic)))
  }

  private static func bytes(_ base64: String) throws -> Data {
    guard let bytes = Data(base64Encoded: base64) else {
      throw CryptoKitError.incorrectParameterSize
    }
    return bytes
  }

  var certificateKey: Certificate.PrivateKey {
    switch self {
    case .elliptic(let key): Certificate.PrivateKey(key)
    case .rsa(let key): Certificate.PrivateKey(key)
    }
  }

  func signature(of bytes: [UInt8], withSHA1: Bool) throws -> [UInt8] {
    switch self {
    case .elliptic(let key):
      return Array(try key.signature(for: SHA256.hash(data: bytes)).rawRepresentation)
    case .rsa(let key) where withSHA1:
      let digest = Insecure.SHA1.hash(data: bytes)
      return Array(
        try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    case .rsa(let key):
      let digest = SHA256.hash(data: bytes)
      return Array(
        try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    }
  }
}
