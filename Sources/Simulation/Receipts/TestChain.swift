import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// Signs like the App Store, with test certificates.
///
/// Keys, certificates and serial numbers come from the seed. The certificates have Ed25519 signatures,
/// which are always the same for the same content. Payloads must be signed with ES256, which draws a new
/// number for every signature: only these signatures differ from run to run.
struct TestChain {
  /// The root certificate in DER, the trust anchor for checking signatures.
  let root: [UInt8]
  private let key: P256.Signing.PrivateKey
  /// The first part of every signed text, with its dot.
  private let header: [UInt8]

  /// The extensions by which App Store certificates are recognized.
  private static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  /// Creates the chain of a world, valid from before its first day to ten years after its last.
  init(options: WorldOptions, timeline: Timeline) throws(SimulationError) {
    do {
      var random = SeededRandom(seed: options.seed, stream: 22)
      let rootKey = try Curve25519.Signing.PrivateKey(rawRepresentation: Self.secret(&random))
      let middleKey = try Curve25519.Signing.PrivateKey(rawRepresentation: Self.secret(&random))
      key = try P256.Signing.PrivateKey(rawRepresentation: Self.secret(&random))
      let dates = Self.date(timeline, 0)...Self.date(timeline, timeline.lastDay + 3_650)
      let root = try Issuer(
        key: Certificate.PrivateKey(rootKey), name: DistinguishedName { CommonName("Test Root") },
        dates: dates)
      let middle = try Issuer(
        key: Certificate.PrivateKey(middleKey),
        name: DistinguishedName { CommonName("Test Authority") }, dates: dates)
      let chain = try [
        middle.certificate(
          3, Certificate.PublicKey(key.publicKey),
          DistinguishedName { CommonName("Test Receipt Signing") },
          Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            Self.mark(Self.leafMark)
          }),
        root.certificate(
          2, middle.key.publicKey, middle.name,
          Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(KeyUsage(keyCertSign: true))
            Self.mark(Self.intermediateMark)
          }),
        root.certificate(
          1, root.key.publicKey, root.name,
          Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            Critical(KeyUsage(keyCertSign: true))
          }),
      ].map(Self.der)
      self.root = chain[2]
      header = Self.header(chain)
    } catch {
      throw .cannotSign("\(error)")
    }
  }

  /// Returns a payload as a JSON Web Signature: header, payload and signature, joined by dots.
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

  private static func header(_ chain: [[UInt8]]) -> [UInt8] {
    var json = JSONText()
    json.object { json in
      json.member("alg", "ES256")
      json.array("x5c") { json in
        for certificate in chain { json.string(Base64.text(certificate)) }
      }
    }
    return Base64.urlText(json.text.bytes) + [UInt8(ascii: ".")]
  }

  private static func date(_ timeline: Timeline, _ day: Int) -> Date {
    Date(timeIntervalSince1970: Double(timeline.instant(day, 0) / 1_000))
  }

  /// Returns an extension that serves only as a marker.
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

/// Issues certificates.
private struct Issuer {
  let key: Certificate.PrivateKey
  let name: DistinguishedName
  let dates: ClosedRange<Date>

  func certificate(
    _ number: Int, _ key: Certificate.PublicKey, _ subject: DistinguishedName,
    _ extensions: Certificate.Extensions
  ) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(number), publicKey: key,
      notValidBefore: dates.lowerBound, notValidAfter: dates.upperBound, issuer: name,
      subject: subject, extensions: extensions, issuerPrivateKey: self.key)
  }
}

/// Encodes Base64: padded for receipts, and in the URL form without padding for signed payloads.
enum Base64 {
  /// Encodes bytes, padded to a multiple of four characters.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Encodes bytes with `-` and `_`, without padding.
  static func urlText(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    text(bytes).utf8.compactMap { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: digit
      }
    }
  }
}
