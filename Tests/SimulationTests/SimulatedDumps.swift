import Simulation
import SubreportTestSupport
import Testing

/// The receipts of a simulated world.
extension SimulatedFolder {
  /// The lines of a dump, all its parts in order.
  func dump(_ name: String) throws -> [JSONValue] {
    try files.filter { $0.hasPrefix("receipts/\(name)_") }.flatMap { file in
      try content(file).split(separator: UInt8(ascii: "\n")).map { line in
        try #require(JSONValue(line), "\(file) has a line that is no JSON")
      }
    }
  }

  /// The names of the two captures, in order.
  var captureNames: [String] {
    let names = files.filter { $0.hasPrefix("receipts/verify-receipt_") }.map {
      String($0.dropFirst("receipts/".count).prefix("verify-receipt_20260101".count))
    }
    return Set(names).sorted()
  }

  /// The content of a compressed file.
  func content(_ file: String) throws -> [UInt8] {
    try #require(GzipMember.content(of: try bytes(file)), "\(file) is one member")
  }

  /// What must be the same each time a file is made: all but signatures.
  func lastingContent(_ file: String) throws -> [JSONValue] {
    try lastingLines(of: bytes(file), file)
  }

  /// All transactions that signed data holds, with the time they were signed.
  func signedTransactions() throws -> [JSONValue] {
    let notified = try dump("notifications-v2").compactMap { line in
      try payload(line["signedPayload"])["data"]?["signedTransactionInfo"]
    }
    let listed = try dump("api-history").flatMap { $0["signedTransactions"]?.elements ?? [] }
    let decoded = try dump("decoded").filter { $0["transactionId"] != nil }
    return try (notified + listed).map(payload) + decoded
  }
}

/// The lines of a compressed dump, or a whole file as one value, without signatures.
func lastingLines(of bytes: [UInt8], _ file: String) throws -> [JSONValue] {
  guard file.hasSuffix(".gz") else { return [.array(bytes.map { .number("\($0)") })] }
  let content = try #require(GzipMember.content(of: bytes), "\(file) is one member")
  guard file.hasPrefix("receipts/notifications") || file.hasPrefix("receipts/api-history") else {
    return [.string(String(decoding: content, as: UTF8.self))]
  }
  return try content.split(separator: UInt8(ascii: "\n")).map { line in
    try #require(JSONValue(line), "\(file)").withoutSignatures
  }
}

/// The content of a signed text.
func payload(_ value: JSONValue?) throws -> JSONValue {
  try #require(value?.text.flatMap { SignedText($0) }).payload
}

/// An answer of verifyReceipt, whatever its layout.
struct SimulatedAnswer {
  let body: JSONValue
  let isWrapped: Bool

  init(_ line: JSONValue) {
    isWrapped = line["receipt_response"] != nil
    body = line["receipt_response"] ?? line
  }

  var isFlat: Bool { body["receipt"]?["bid"] != nil }
  var isSandbox: Bool { body["environment"]?.text == "Sandbox" }
  var isFamily: Bool {
    body["latest_receipt_info"]?.elements.first?["in_app_ownership_type"]?.text == "FAMILY_SHARED"
  }
  /// Whether it is about purchases of a customer.
  var isCustomer: Bool { body["receipt"] != nil && !isSandbox && !isFamily }

  /// The transactions of all its parts.
  var transactions: [JSONValue] {
    let latest = body["latest_receipt_info"] ?? body["latest_expired_receipt_info"]
    guard !isFlat else { return [body["receipt"], latest].compactMap { $0 } }
    return (latest?.elements ?? []) + (body["receipt"]?["in_app"]?.elements ?? [])
  }
}
