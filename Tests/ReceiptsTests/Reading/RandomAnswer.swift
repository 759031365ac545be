import SubreportTestSupport

/// A JSON value as a tree, to make texts of and to compare with.
indirect enum JSONTree {
  case object([(key: String, value: JSONTree)])
  case array([JSONTree])
  case string(String)
  /// A number, `true`, `false` or `null`.
  case word(String)

  /// The value as JSON, with white space here and there.
  func text(_ random: inout SeededGenerator) -> String {
    let space = Bool.random(using: &random) ? " " : ""
    switch self {
    case .object(let members):
      var texts: [String] = []
      for (key, value) in members { texts.append("\"\(key)\":\(space)\(value.text(&random))") }
      return "{\(space)\(texts.joined(separator: "\(space),"))}"
    case .array(let elements):
      var texts: [String] = []
      for element in elements { texts.append(element.text(&random)) }
      return "[\(texts.joined(separator: ",\(space)"))\(space)]"
    case .string(let text): return "\"\(text.replacing("/", with: "\\/"))\""
    case .word(let word): return word
    }
  }

  /// The member of an object; nil if it has none.
  subscript(key: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text of a string or of a word.
  var scalar: String? {
    switch self {
    case .string(let text): text
    case .word(let word): word == "null" ? nil : word
    case .object, .array: nil
    }
  }

  var elements: [JSONTree] {
    if case .array(let elements) = self { return elements }
    return []
  }
}

/// A random answer of verifyReceipt in the layout since iOS 7, as untidy as dumps are.
struct RandomAnswer {
  let tree: JSONTree

  init(_ random: inout SeededGenerator) {
    var receipt: [(key: String, value: JSONTree)] = [
      ("bundle_id", Self.scalar(["a.b", "c.d", ""], &random)),
      ("receipt_type", Self.scalar(["Production", "ProductionSandbox", ""], &random)),
      ("in_app", .array(Self.transactions(&random))),
    ]
    if Int.random(in: 0..<3, using: &random) > 0 {
      receipt += Self.date("request_date", &random)
    }
    var members: [(key: String, value: JSONTree)] = [
      ("status", Self.scalar(["0", "0", "0", "21006", "21003"], &random)),
      ("environment", Self.scalar(["Production", "Sandbox", "PROD", ""], &random)),
      ("receipt", .object(Self.shuffled(receipt, &random))),
      ("latest_receipt_info", .array(Self.transactions(&random))),
      ("latest_receipt", .string("MIIx")),
    ]
    if Bool.random(using: &random) {
      let renewal: [(key: String, value: JSONTree)] =
        [
          ("original_transaction_id", Self.id(&random)),
          ("auto_renew_status", Self.scalar(["1", "0", "true", ""], &random)),
          ("expiration_intent", Self.scalar(["1", "5", "6", ""], &random)),
          ("product_id", .string("p1")),
        ] + Self.date("grace_period_expires_date", &random)
      members.append(("pending_renewal_info", .array([.object(Self.shuffled(renewal, &random))])))
    }
    tree = .object(Self.shuffled(members, &random))
  }

  private static func transactions(_ random: inout SeededGenerator) -> [JSONTree] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      var members: [(key: String, value: JSONTree)] = [
        ("transaction_id", id(&random)), ("original_transaction_id", id(&random)),
        ("web_order_line_item_id", id(&random)),
        ("product_id", scalar(["p1", "p2", ""], &random)),
        ("is_trial_period", scalar(["true", "false", "1", "0", ""], &random)),
        ("is_upgraded", scalar(["true", ""], &random)),
        ("in_app_ownership_type", scalar(["PURCHASED", "FAMILY_SHARED", "", ""], &random)),
        ("subscription_group_identifier", scalar(["77", "000"], &random)),
        ("unique_identifier", .string("secret")),
      ]
      for key in ["purchase_date", "expires_date", "cancellation_date", "original_purchase_date"] {
        members += date(key, &random)
      }
      members.removeAll { _ in Int.random(in: 0..<8, using: &random) == 0 }
      return .object(shuffled(members, &random))
    }
  }

  private static func id(_ random: inout SeededGenerator) -> JSONTree {
    scalar(
      ["100000000000\(Int.random(in: 1...4, using: &random))", "0", "0000", "", "x7"], &random)
  }

  /// One of some texts; what can be a number or a word is sometimes written as one.
  private static func scalar(_ texts: [String], _ random: inout SeededGenerator) -> JSONTree {
    let text = texts[Int.random(in: 0..<texts.count, using: &random)]
    let isBare = Int(text).map { String($0) == text } == true || ["true", "false"].contains(text)
    if isBare, Bool.random(using: &random) { return .word(text) }
    return text.isEmpty && Bool.random(using: &random) ? .word("null") : .string(text)
  }

  /// The keys of one instant: all of them, some, or wrong ones.
  private static func date(
    _ key: String, _ random: inout SeededGenerator
  ) -> [(key: String, value: JSONTree)] {
    let seconds = Int.random(in: 1_500_000_000..<1_500_300_000, using: &random)
    let gmt = ReferenceDate.gmt(seconds)
    var members: [(key: String, value: JSONTree)] = []
    switch Int.random(in: 0..<8, using: &random) {
    case 0: break
    case 1: members.append((key, .string("")))
    case 2: members.append((key, scalar(["\(seconds)999"], &random)))
    case 3:
      members.append((key, scalar(["99999999999999"], &random)))
      members.append(("\(key)_formatted", .string(gmt)))
    case 4: members.append((key, .string(gmt)))
    case 5:
      members.append((key, .string(ReferenceDate.gmt(seconds + 86_400))))
      members.append(("\(key)_ms", .word("\(seconds)123.75")))
    default:
      members.append((key, .string(gmt)))
      members.append(("\(key)_ms", scalar(["\(seconds)000"], &random)))
      members.append(("\(key)_pst", .string("2001-01-01 00:00:00 America/Los_Angeles")))
    }
    return members
  }

  private static func shuffled(
    _ members: [(key: String, value: JSONTree)], _ random: inout SeededGenerator
  ) -> [(key: String, value: JSONTree)] {
    members.shuffled(using: &random)
  }
}
