import Crypto
import Foundation
import Simulation
import SwiftASN1
import Testing
@_spi(FixedExpiryValidationTime) import X509

@Suite("Simulated signatures")
struct SignatureTests {
  private func folder(seed: UInt64) throws -> SimulatedFolder {
    try SimulatedFolder(
      WorldOptions(
        subscribers: 40, firstDay: "2026-01-01", lastDay: "2026-02-28", seed: seed,
        kinds: [.receipts], notified: 5))
  }

  private func certificates(_ signed: SignedText) throws -> [Certificate] {
    try #require(signed.header["x5c"]).elements.map { element in
      let bytes = try #require(element.text.flatMap { base64($0) })
      return try Certificate(derEncoded: bytes)
    }
  }

  @Test
  func `are ES256 by the leaf of a chain of three that ends in root.cer`() async throws {
    let folder = try folder(seed: 1)
    let root = try Certificate(derEncoded: folder.bytes("receipts/root.cer"))
    let lines = try folder.dump("notifications-v2")
    #expect(!lines.isEmpty)
    for line in lines {
      let outer = try #require(line["signedPayload"]?.text.flatMap { SignedText($0) })
      let data = outer.payload["data"]
      let inner = try ["signedTransactionInfo", "signedRenewalInfo"].map { name in
        try #require(data?[name]?.text.flatMap { SignedText($0) })
      }
      for signed in [outer] + inner {
        let chain = try certificates(signed)
        try #require(chain.count == 3)
        #expect(signed.header["alg"]?.text == "ES256")
        #expect(chain[2] == root)
        let key = try #require(P256.Signing.PublicKey(chain[0].publicKey))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: signed.signature)
        #expect(key.isValidSignature(signature, for: signed.signed))
      }
    }
  }

  @Test
  func `have certificates that are valid when they sign, with the marks of the App Store`()
    async throws
  {
    let folder = try folder(seed: 2)
    let line = try #require(try folder.dump("notifications-v2").first)
    let signed = try #require(line["signedPayload"]?.text.flatMap { SignedText($0) })
    let chain = try certificates(signed)
    let date = try #require(signed.payload["signedDate"]?.integer)
    let root = try Certificate(derEncoded: folder.bytes("receipts/root.cer"))
    var verifier = Verifier(rootCertificates: CertificateStore([root])) {
      RFC5280Policy(
        fixedExpiryValidationTime: Date(timeIntervalSince1970: Double(date) / 1_000))
    }
    let result = await verifier.validate(
      leaf: chain[0], intermediates: CertificateStore([chain[1]]))
    guard case .validCertificate(let valid) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(valid.count == 3)
    #expect(chain[0].extensions.contains { $0.oid == [1, 2, 840, 113_635, 100, 6, 11, 1] })
    #expect(chain[1].extensions.contains { $0.oid == [1, 2, 840, 113_635, 100, 6, 2, 1] })
  }

  @Test
  func `differ between seeds in their keys`() throws {
    let roots = try [1, 1, 2].map { try folder(seed: $0).bytes("receipts/root.cer") }
    #expect(roots[0] == roots[1])
    #expect(roots[0] != roots[2])
  }
}
