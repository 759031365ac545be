/// The signer of an app receipt: the end of a PKCS#7 `SignedData`, after the content (RFC 5652).
struct SignerInfo {
  /// Where the certificates are, one after the other.
  let certificates: Range<Int>
  /// The range of issuer and serial number, which identify the signer's certificate.
  let identifier: Range<Int>
  /// Where the name of the signer's issuer is.
  let issuer: Range<Int>
  /// Where the serial number of the signer's certificate is.
  let serialNumber: Range<Int>
  /// Where the object identifier of the digest is.
  let digest: Range<Int>
  /// The range of the signed attributes, with their tag; nil if the content is signed directly.
  let signedAttributes: Range<Int>?
  /// Where the object identifier of the signature's algorithm is.
  let algorithm: Range<Int>
  /// Where the signature is.
  let signature: Range<Int>

  /// The tag of revocation lists, `[1]` with elements inside; receipts have none.
  private static let revocationLists: UInt8 = 0xA1

  /// Finds the signer; several signers are a fault.
  init(of signedData: SignedData, _ bytes: Span<UInt8>) throws(EncodingFault) {
    var reader = signedData.rest
    certificates = try reader.next(BERReader.Tag.context0, bytes)
    _ = try reader.nextIfPresent(Self.revocationLists, bytes)
    var signers = BERReader(try reader.next(BERReader.Tag.set, bytes))
    var signer = BERReader(try signers.next(BERReader.Tag.sequence, bytes))
    guard signers.isAtEnd, reader.isAtEnd else { throw .damagedReceipt(at: signers.offset) }
    _ = try signer.next(BERReader.Tag.integer, bytes)
    identifier = try signer.next(BERReader.Tag.sequence, bytes)
    var names = BERReader(identifier)
    issuer = try names.whole(BERReader.Tag.sequence, bytes)
    serialNumber = try names.next(BERReader.Tag.integer, bytes)
    guard names.isAtEnd else { throw .damagedReceipt(at: names.offset) }
    digest = try Self.algorithm(&signer, bytes)
    let start = signer.offset
    let attributes = try signer.nextIfPresent(BERReader.Tag.context0, bytes)
    signedAttributes = attributes.map { _ in start..<signer.offset }
    algorithm = try Self.algorithm(&signer, bytes)
    signature = try signer.next(BERReader.Tag.octetString, bytes)
  }

  private static func algorithm(
    _ reader: inout BERReader, _ bytes: Span<UInt8>
  ) throws(EncodingFault) -> Range<Int> {
    var identifier = BERReader(try reader.next(BERReader.Tag.sequence, bytes))
    return try identifier.next(BERReader.Tag.objectIdentifier, bytes)
  }
}

// MARK: - Signed attributes

extension SignerInfo {
  private static let contentType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 3]
  private static let messageDigest: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 4]

  /// Returns the range of the content's digest in the signed attributes.
  ///
  /// - Returns: The range; nil unless there are exactly one digest and one content type, `data`.
  static func messageDigest(
    in attributes: Range<Int>, _ bytes: Span<UInt8>
  ) throws(EncodingFault) -> Range<Int>? {
    var outer = BERReader(attributes)
    var reader = BERReader(try outer.next(BERReader.Tag.context0, bytes))
    var digests: [Range<Int>] = []
    var contentTypes: [Range<Int>] = []
    while !reader.isAtEnd {
      var attribute = BERReader(try reader.next(BERReader.Tag.sequence, bytes))
      let type = try attribute.next(BERReader.Tag.objectIdentifier, bytes)
      var values = BERReader(try attribute.next(BERReader.Tag.set, bytes))
      if matches(bytes, type, messageDigest) {
        digests.append(try values.next(BERReader.Tag.octetString, bytes))
      } else if matches(bytes, type, contentType) {
        contentTypes.append(try values.next(BERReader.Tag.objectIdentifier, bytes))
      }
    }
    guard digests.count == 1, contentTypes.count == 1,
      matches(bytes, contentTypes[0], SignedData.dataType)
    else { return nil }
    return digests[0]
  }
}
