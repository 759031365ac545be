import Crypto

/// Makes app receipts: attributes in a PKCS#7 container, signed or not.
package struct ReceiptMaker: Sendable {
  /// How the container is written.
  package enum Form: Sendable, CaseIterable {
    /// DER, as the App Store writes it.
    case definite
    /// BER with indefinite lengths and the content in one piece, as Xcode writes it.
    case indefinite
    /// BER with the content in pieces of 100 bytes.
    case pieces
  }

  /// The attributes of the receipt, in order: their type and their value in DER.
  package var attributes: [(type: Int, value: [UInt8])] = []
  /// How the container is written.
  package var form = Form.definite
  /// Whether SHA-1 is the digest, as it was up to 2023, not SHA-256.
  package var usesSHA1 = false
  /// Whether the signature covers signed attributes, not the content itself.
  package var hasSignedAttributes = false
  /// The certificates to put in, each in DER; by default signer, intermediate, root.
  package var certificates: [[UInt8]]?

  /// Creates a maker of an empty receipt in DER.
  package init() {}

  /// Adds one attribute that is a text.
  ///
  /// - Parameters:
  ///   - type: Its type.
  ///   - text: Its text.
  ///   - isDate: Whether it is written as ASCII, as dates are, not as UTF-8.
  package mutating func add(_ type: Int, _ text: String, isDate: Bool = false) {
    attributes.append((type, DERWriter.element(isDate ? 0x16 : 0x0C, Array(text.utf8))))
  }

  /// Adds one attribute that is a whole number.
  ///
  /// - Parameters:
  ///   - type: Its type.
  ///   - number: The number.
  package mutating func add(_ type: Int, _ number: Int) {
    attributes.append((type, DERWriter.integer(number)))
  }

  /// Adds a purchase.
  ///
  /// - Parameter purchase: A maker that has the purchase's attributes.
  package mutating func add(_ purchase: ReceiptMaker) {
    attributes.append((17, purchase.content))
  }

  /// The attributes as they are signed.
  package var content: [UInt8] {
    let sequences = attributes.map { attribute in
      DERWriter.sequence([
        DERWriter.integer(attribute.type), DERWriter.integer(1),
        DERWriter.element(0x04, attribute.value),
      ])
    }
    return DERWriter.element(0x31, sequences.flatMap { $0 })
  }

  /// Makes the receipt.
  ///
  /// - Parameter chain: Who signs it, with RSA keys; nil leaves certificates and signer out.
  /// - Returns: The container.
  /// - Throws: What Crypto throws.
  package func receipt(signedBy chain: SigningChain? = nil) throws -> [UInt8] {
    var parts = [DERWriter.integer(1), DERWriter.element(0x31, digestAlgorithm), encapsulated]
    if let chain {
      let certificates = certificates ?? [chain.signer, chain.intermediate, chain.root]
      parts.append(DERWriter.element(0xA0, certificates.flatMap { $0 }))
      parts.append(DERWriter.element(0x31, try signerInfo(chain)))
    }
    let wrapped = element(0xA0, element(0x30, parts.flatMap { $0 }))
    return element(0x30, DERWriter.objectIdentifier(Self.signedDataType) + wrapped)
  }

  private var encapsulated: [UInt8] {
    let content = content
    let octets: [UInt8]
    switch form {
    case .definite: octets = DERWriter.element(0x04, content)
    case .indefinite: octets = element(0x24, DERWriter.element(0x04, content))
    case .pieces:
      let pieces = stride(from: 0, to: content.count, by: 100).map {
        DERWriter.element(0x04, Array(content[$0..<min($0 + 100, content.count)]))
      }
      octets = element(0x24, pieces.flatMap { $0 })
    }
    return element(0x30, DERWriter.objectIdentifier(Self.dataType) + element(0xA0, octets))
  }

  private func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    form == .definite ? DERWriter.element(tag, content) : [tag, 0x80] + content + [0, 0]
  }
}

// MARK: - Signer

extension ReceiptMaker {
  private static let dataType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
  private static let signedDataType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
  private static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]
  private static let contentType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 3]
  private static let messageDigest: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 4]

  private var digestAlgorithm: [UInt8] {
    let sha1: [UInt8] = [0x2B, 0x0E, 3, 2, 0x1A]
    let sha256: [UInt8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
    return algorithm(usesSHA1 ? sha1 : sha256)
  }

  private func algorithm(_ identifier: [UInt8]) -> [UInt8] {
    DERWriter.sequence([DERWriter.objectIdentifier(identifier), DERWriter.element(0x05, [])])
  }

  private func signerInfo(_ chain: SigningChain) throws -> [UInt8] {
    var parts = [
      DERWriter.integer(1),
      DERWriter.sequence([chain.issuerName, DERWriter.element(0x02, chain.serialNumber)]),
      digestAlgorithm,
    ]
    var signed = content
    if hasSignedAttributes {
      let digest =
        usesSHA1
        ? Array(Insecure.SHA1.hash(data: content)) : Array(SHA256.hash(data: content))
      let attributes = [
        attribute(Self.contentType, DERWriter.objectIdentifier(Self.dataType)),
        attribute(Self.messageDigest, DERWriter.element(0x04, digest)),
      ].flatMap { $0 }
      signed = DERWriter.element(0x31, attributes)
      parts.append(DERWriter.element(0xA0, attributes))
    }
    parts.append(algorithm(Self.rsa))
    parts.append(
      DERWriter.element(0x04, try chain.signature(of: signed, withSHA1: usesSHA1)))
    return DERWriter.sequence(parts)
  }

  private func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
    DERWriter.sequence([DERWriter.objectIdentifier(type), DERWriter.element(0x31, value)])
  }
}
