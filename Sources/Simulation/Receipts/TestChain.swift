import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// Signs like the App Store, with certificates that nobody has to trust.
///
/// Keys, certificates and serial numbers come from the seed. The signatures of the certificates are
/// Ed25519, which is the same for the same content; those of the payloads must be ES256, which
/// draws a new number for every signature: they differ from run to run, and nothing else does.
struct TestChain {
  /// The root certificate in DER, to be given to whoever checks.
  let root: [UInt8]
  private let key: P256.Signing.PrivateKey
  /// The first part of every signed text, with its dot.
  private let header: [UInt8]

  /// What marks the certificates of the App Store.
  private static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  /// Creates the chain of a world, valid from before its first day to ten years after its last.
  init(options: WorldOptions, timeline: Timeline) throws(SimulationError) {
    do {
      var random = SeededRandom(seed: options.seed, stream: 22)
      let rootKey = try Curve25519.Signing.PrivateKey(rawRepresentation: Self.secret(&random))
      let middleKey = try Curve25519.Signing.PrivateKey(rawRepresentation: Self.secret(&random))
      key = try P256.Signing.PrivateKey(rawRepresentation: Self.secret(&random))
      let dates = (
        Date(timeIntervalSince1970: Double(timeline.instant(0, 0) / 1_000)),
        Date(timeIntervalSince1970: Double(timeline.instant(timeline.lastDay + 3_650, 0) / 1_000))
      )
      let rootName = try DistinguishedName { CommonName("Test Root (subreport simulate)") }
      let middleName = try DistinguishedName { CommonName("Test Intermediate") }
      let leafName = try DistinguishedName { CommonName("Test Receipt Signing") }
      let rootCertificate = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(1),
        publicKey: Certificate.PublicKey(rootKey.publicKey), notValidBefore: dates.0,
        notValidAfter: dates.1, issuer: rootName, subject: rootName,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
          Critical(KeyUsage(keyCertSign: true))
        }, issuerPrivateKey: Certificate.PrivateKey(rootKey))
      let middle = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(2),
        publicKey: Certificate.PublicKey(middleKey.publicKey), notValidBefore: dates.0,
        notValidAfter: dates.1, issuer: rootName, subject: middleName,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
          Critical(KeyUsage(keyCertSign: true))
          Self.mark(Self.intermediateMark)
        }, issuerPrivateKey: Certificate.PrivateKey(rootKey))
      let leaf = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(3),
        publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: dates.0,
        notValidAfter: dates.1, issuer: middleName, subject: leafName,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.notCertificateAuthority)
          Critical(KeyUsage(digitalSignature: true))
          Self.mark(Self.leafMark)
        }, issuerPrivateKey: Certificate.PrivateKey(middleKey))
      root = try Self.der(rootCertificate)
      header = try Self.header([leaf, middle, rootCertificate])
    } catch {
      throw .cannotSign("\(error)")
    }
  }

  /// Returns a payload as a JSON Web Signature: header, payload and signature, with dots between.
  ///
  /// - Parameter payload: The JSON text.
  /// - Returns: The text, which needs no escaping.
  /// - Throws: ``SimulationError/cannotSign(_:)``.
  func signed(_ payload: JSONText) throws(SimulationError) -> String {
    var text = header
    text += Base64.urlText(payload.text.bytes)
    do {
      let signature = try key.signature(for: text)
      text.append(UInt8(ascii: "."))
      text += Base64.urlText(signature.rawRepresentation)
    } catch {
      throw .cannotSign("\(error)")
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func header(_ chain: [Certificate]) throws -> [UInt8] {
    let certificates = try chain.map { Base64.text(try der($0)) }
    var json = JSONText()
    json.object { json in
      json.member("alg", "ES256")
      json.key("x5c")
      json.array { json in
        for certificate in certificates { json.string(certificate) }
      }
    }
    return Base64.urlText(json.text.bytes) + [UInt8(ascii: ".")]
  }

  /// Returns an extension that says nothing but that it is there.
  private static func mark(_ identifier: ASN1ObjectIdentifier) -> Certificate.Extension {
    Certificate.Extension(oid: identifier, critical: false, value: [0x05, 0x00])
  }

  private static func der(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }

  /// Draws the 32 bytes of a key; the first bit is 0, so that they are below the curve's order.
  private static func secret(_ random: inout SeededRandom) -> [UInt8] {
    [UInt8(random.below(128))] + (1..<32).map { _ in UInt8(random.below(256)) }
  }
}
