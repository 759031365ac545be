import Scanning
import SubscriptionModel

/// Decodes JWS payloads and raw receipts, and verifies their signatures if there are roots.
///
/// Its buffers hold only the newest result, and are reused.
struct PayloadDecoder: ~Copyable {
  /// The longest JWS in bytes; real notifications take about 30 KiB.
  static let longestJWS = 1 << 16
  /// The longest receipt in bytes of base64; a customer with very many purchases has about 1 MiB.
  static let longestReceipt = 1 << 24

  /// The text for a JWS that a message expects.
  static let expectedJWS = "a JWS as Apple sends it, header.payload.signature"
  /// The text for a receipt that a message expects.
  private static let expectedReceipt = "a whole receipt, as an app gets it from the App Store"

  /// Why a JWS or a receipt cannot be used.
  struct Fault: Error {
    let code: Reject.Code
    let found: String
    let expected: String

    fileprivate init(_ code: Reject.Code, found: String, expected: String) {
      self.code = code
      self.found = found
      self.expected = expected
    }

    fileprivate init(_ fault: EncodingFault, expected: String) {
      let code: Reject.Code =
        switch fault.code {
        case .notBase64: .notBase64
        case .notAJWS: .notAJWS
        case .notAnAppReceipt: .notAnAppReceipt
        case .notAPropertyList: .notAPropertyList
        }
      self.init(code, found: fault.found, expected: expected)
    }

    fileprivate init(_ failure: VerificationFailure) {
      self.init(
        .notVerified, found: "\(failure.found) (\(failure.rawValue))",
        expected: "a signature that leads to one of the given root certificates")
    }
  }

  /// The kind of a receipt container.
  enum Container { case appReceipt, transactionReceipt }

  /// The payload of the JWS, or the bytes of the receipt.
  private(set) var bytes: [UInt8] = []
  /// Whether the newest JWS or receipt has a signature that leads to one of the user's roots.
  private(set) var isVerified = false
  var appReceipt = AppReceipt()
  var transactionReceipt = TransactionReceipt()
  private var jwsVerifier: JWSVerifier?
  private var receiptVerifier: AppReceiptVerifier?

  init(roots: RootCertificates?) {
    jwsVerifier = roots.map { JWSVerifier(roots: $0) }
    receiptVerifier = roots.map { AppReceiptVerifier(roots: $0) }
  }
}

// MARK: - JWS

extension PayloadDecoder {
  private enum HeadKey: String, CaseIterable {
    case signedDate, receiptCreationDate, environment
    static let all = JSONKeys<HeadKey>()
  }

  /// Opens the payload of a JWS, after checking that it is one JSON object.
  mutating func openPayload(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) throws(Fault) -> JSONScanner {
    let jws: JWS
    do throws(EncodingFault) {
      jws = try JWS(splitting: text, trimmed(text, range))
      try jws.decodePayload(text, into: &bytes)
    } catch {
      throw Fault(error, expected: Self.expectedJWS)
    }
    var scanner = JSONScanner(ByteStream(bytes.span))
    let head = try Self.readHead(&scanner)
    isVerified = false
    if jwsVerifier != nil {
      let milliseconds = head.date.value.map { Int64($0.seconds) * 1_000 }
      do throws(VerificationFailure) {
        try jwsVerifier?.verify(jws, in: text, signedAt: milliseconds)
        isVerified = true
      } catch {
        // Xcode and local testing sign with their own key: use the payload as unverified.
        guard head.isLocal else { throw Fault(error) }
      }
    }
    scanner.restart(with: bytes.span)
    return scanner
  }

  /// Reads the payload's date, and whether its environment is Xcode or local testing.
  private static func readHead(
    _ scanner: inout JSONScanner
  ) throws(Fault) -> (date: StatedInstant, isLocal: Bool) {
    var date = StatedInstant()
    var isLocal = false
    do throws(JSONReadError) {
      if try scanner.nextValue(), var object = try scanner.enterObject() {
        var text = JSONText()
        let keys = HeadKey.all
        while let index = try scanner.nextKey(of: &object, keys.table) {
          if index < 0 { continue }
          let key = keys.cases[index]
          text.removeAll()
          let value = try scanner.readScalar(into: &text)
          if key == .environment {
            isLocal =
              ScalarText.isWord("Xcode", text.bytes.span, value.range)
              || ScalarText.isWord("LocalTesting", text.bytes.span, value.range)
          } else {
            date.add(value, text.bytes.span, key == .signedDate ? .milliseconds : .plain)
          }
        }
        if try !scanner.nextValue() { return (date, isLocal) }
      }
    } catch {}
    throw Fault(
      .notAJWS, found: "a payload that is not a JSON object", expected: Self.expectedJWS)
  }
}

// MARK: - Receipts

extension PayloadDecoder {
  /// Decodes the base64 of a receipt and reads its container.
  mutating func readReceipt(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) throws(Fault) -> Container {
    do throws(EncodingFault) {
      try Base64.decode(text, range, .standard, into: &bytes)
    } catch {
      throw Fault(error, expected: "the base64 of \(Self.expectedReceipt)")
    }
    return try readContainer()
  }

  /// Reads an unencoded receipt container.
  mutating func readContainer(_ container: [UInt8]) throws(Fault) -> Container {
    bytes = container
    return try readContainer()
  }

  /// Reads a purchase of the newest app receipt.
  func purchase(at index: Int) throws(Fault) -> AppReceipt.Purchase {
    do throws(EncodingFault) {
      return try appReceipt.purchase(at: index)
    } catch {
      throw Fault(error, expected: Self.expectedReceipt)
    }
  }

  private mutating func readContainer() throws(Fault) -> Container {
    let bytes = bytes
    let isAppReceipt = bytes.first != UInt8(ascii: "{")
    do throws(EncodingFault) {
      if isAppReceipt {
        try appReceipt.read(bytes.span)
      } else {
        try transactionReceipt.read(bytes.span)
      }
    } catch {
      throw Fault(error, expected: Self.expectedReceipt)
    }
    isVerified = false
    if receiptVerifier != nil {
      guard isAppReceipt else { throw Fault(.unsupportedReceipt) }
      var created = StatedInstant()
      created.add(appReceipt.content.span, appReceipt.creationDate, .plain)
      let milliseconds = created.value.map { Int64($0.seconds) * 1_000 }
      do throws(VerificationFailure) {
        try receiptVerifier?.verify(bytes.span, createdAt: milliseconds)
      } catch {
        throw Fault(error)
      }
      isVerified = true
    }
    return isAppReceipt ? .appReceipt : .transactionReceipt
  }
}
