import ArgumentParser
import CMemory
import Fetch
import Files
import Scanning
import Storage
import SubscriptionModel

/// A key of `[fetch]` in `subreport.toml`, and of each `[[fetch.account]]`.
enum FetchSettingKey: String, CaseIterable {
  case archive, vendors
  case issuerID = "issuer_id"
  case keyID = "key_id"
  case key
  case appIssuerID = "iap_issuer_id"
  case appKeyID = "iap_key_id"
  case appKey = "iap_key"
  case bundleIDs = "bundle_ids"
  case kinds, environment
  case requestsPerMinute = "requests_per_minute"
  case maxCustomers = "max_customers"
  case caFile = "ca_file"
  case endpoint
  case name

  /// The environment variable; names of accounts are in the file alone.
  var variable: String? { self == .name ? nil : "SUBREPORT_FETCH_" + rawValue.uppercased() }

  /// Whether the value may be the text of a key.
  var isSecret: Bool { self == .key || self == .appKey }

  var shape: Setting.Shape {
    switch self {
    case .vendors, .bundleIDs, .kinds: .list
    case .requestsPerMinute, .maxCustomers: .whole
    default: .text
    }
  }

  /// The meaning, for the manual page and docs/settings.md.
  var says: String {
    switch self {
    case .archive: "the folder that fetch keeps: reports, settlements and notifications"
    case .vendors: "vendor numbers, such as [\"80012345\"]"
    case .issuerID: "issuer id of the team key"
    case .keyID: "its key id"
    case .key: "the path of its .p8 file; SUBREPORT_FETCH_KEY may hold the text"
    case .appIssuerID: "issuer id of the In-App Purchase key"
    case .appKeyID: "its key id"
    case .appKey: "the path of its .p8 file"
    case .bundleIDs: "bundle ids of apps, for notifications"
    case .kinds: "what to fetch: \(joined(FetchKind.allCases.map(\.rawValue), by: "or"))"
    case .environment: "production or sandbox, of notifications"
    case .requestsPerMinute: "240 by default; 0: no limit"
    case .maxCustomers: "the customers of the history, of each app in a run: 10000"
    case .caFile: "a file of trusted certificates, in PEM"
    case .endpoint: "a server on a loopback address in place of Apple's, for tests"
    case .name: "the account's name, and the folder of its archive in that of [fetch]"
    }
  }
}

/// The settings of `fetch`: those of `[fetch]`, of the environment, and of each account.
struct FetchSettings {
  private let settings: Settings
  /// The archive on the command line.
  private let archive: String?

  init(_ settings: Settings, archive: String?) {
    (self.settings, self.archive) = (settings, archive)
  }

  func folder() throws(UsageError) -> String {
    guard let folder = archive ?? text(.archive, nil)?.text else {
      throw UsageError(
        "fetch needs an archive: -a FOLDER, or archive = \"…\" below [fetch] in subreport.toml; subreport init asks for all"
      )
    }
    return folder
  }

  /// Whether a setting of fetch is there at all.
  var isEmpty: Bool { settings.fetch.isEmpty && archive == nil && text(.key, nil) == nil }

  var certificates: String? { text(.caFile, nil)?.text }

  /// The accounts: each `[[fetch.account]]`, or the only one; each with the fault of a key that cannot be used.
  func accounts(readsKeys: Bool = true) throws -> [FetchAccount] {
    let numbers = Set(settings.fetch.keys.compactMap(\.account)).sorted()
    let places: [Int?] = numbers.isEmpty ? [nil] : numbers
    var names: Set<ExactText> = []
    return try places.map { place in
      let account = try account(place, readsKeys)
      guard names.insert(ExactText(account.name)).inserted, place == nil || !account.name.isEmpty
      else {
        throw UsageError("[[fetch.account]] needs a name of its own, such as name = \"games\"")
      }
      return account
    }
  }

  private func account(_ place: Int?, _ readsKeys: Bool) throws -> FetchAccount {
    var account = FetchAccount(folder: try folder())
    if place != nil, let name = text(.name, place) {
      guard Self.isPlain(name.text), !name.text.hasPrefix(".") else {
        throw UsageError("\(name.origin): an account's name has letters, digits, - and _ only")
      }
      account.name = name.text
      account.folder += "/" + name.text
    }
    account.vendors = try list(.vendors, place) { text in
      text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (1...12).contains(text.utf8.count)
        ? nil : "a vendor number has digits only, such as 80012345"
    }
    account.bundles = try list(.bundleIDs, place) {
      Self.isPlain($0) ? nil : "a bundle id is such as com.example.app"
    }
    account.isSandbox = try environment(place)
    account.requestsPerMinute = try number(.requestsPerMinute, place) ?? 240
    account.mostCustomers = try number(.maxCustomers, place) ?? 10_000
    account.endpoint = try endpoint(place)
    if readsKeys {
      do {
        account.key = try key(.key, .keyID, .issuerID, place)
        account.appKey = try key(.appKey, .appKeyID, .appIssuerID, place)
      } catch let error as FetchError {
        account.keyFault = error
      }
    }
    account.hasKey = text(.key, place) != nil
    let hasAppKey = text(.appKey, place) != nil
    account.kinds = try kinds(place) ?? FetchKind.usual + (hasAppKey ? [.notifications] : [])
    return account
  }

  private func kinds(_ place: Int?) throws(UsageError) -> [FetchKind]? {
    guard let value = value(.kinds, place) else { return nil }
    var kinds: [FetchKind] = []
    for text in value.texts { kinds.append(try Self.kind(text, value.origin)) }
    return kinds
  }

  static func kind(_ text: String, _ origin: String) throws(UsageError) -> FetchKind {
    guard let kind = FetchKind(rawValue: text) else {
      let advice = Nearest.advice(text, among: FetchKind.allCases.map(\.rawValue))
      throw UsageError("\(origin): no kind \(quotedExcerpt(text)); \(advice)")
    }
    return kind
  }

  private func environment(_ place: Int?) throws(UsageError) -> Bool {
    guard let value = text(.environment, place) else { return false }
    guard ["production", "sandbox"].contains(value.text) else {
      throw UsageError("\(value.origin): use production or sandbox")
    }
    return value.text == "sandbox"
  }

  /// Returns the server of tests: on a loopback address, so that no token goes elsewhere.
  private func endpoint(_ place: Int?) throws(UsageError) -> String? {
    guard let value = text(.endpoint, place) else { return nil }
    let hosts = ["127.0.0.1", "localhost", "[::1]"]
    let isLoopback = ["http://", "https://"].contains { scheme in
      hosts.contains { host in
        guard value.text.hasPrefix(scheme + host) else { return false }
        let end = value.text.dropFirst(scheme.count + host.count)
        return end.isEmpty
          || end.first == ":" && end.dropFirst().allSatisfy { ("0"..."9").contains($0) }
      }
    }
    guard isLoopback else {
      throw UsageError(
        "\(value.origin): endpoint is for tests, on a loopback address such as https://127.0.0.1:8443"
      )
    }
    return value.text
  }

  private func number(_ key: FetchSettingKey, _ place: Int?) throws(UsageError) -> Int? {
    guard let value = text(key, place) else { return nil }
    guard let number = Int(value.text), number >= 0 else {
      throw UsageError("\(value.origin): use a whole number of at least 0")
    }
    return number
  }

  private func list(
    _ key: FetchSettingKey, _ place: Int?, fault: (String) -> String?
  ) throws(UsageError) -> [String] {
    guard let value = value(key, place) else { return [] }
    for text in value.texts {
      if let fault = fault(text) {
        throw UsageError("\(value.origin): \(quotedExcerpt(text)): \(fault)")
      }
    }
    return value.texts
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), 0x2D, 0x2E, 0x5F:
          true
        default: false
        }
      }
  }

  // MARK: Keys

  private func key(
    _ key: FetchSettingKey, _ id: FetchSettingKey, _ issuer: FetchSettingKey, _ place: Int?
  ) throws -> SigningKey? {
    guard let file = text(key, place) else { return nil }
    guard let id = text(id, place)?.text, let issuer = text(issuer, place)?.text else {
      throw UsageError("\(file.origin): \(id.rawValue) and \(issuer.rawValue) belong to it")
    }
    guard Self.isPlain(id), Self.isPlain(issuer) else {
      throw UsageError("\(file.origin): key ids and issuer ids have letters, digits and - only")
    }
    return try Self.key(file.text, id: id, issuer: issuer)
  }

  /// Reads a private key from a file that only its owner may read, or takes its text.
  static func key(_ file: String, id: String, issuer: String) throws -> SigningKey {
    let begin = "-----BEGIN"
    let isText = file.hasPrefix(begin)
    let name = isText ? "key \(id)" : "key \(file)"
    var text = file
    if !isText {
      guard let status = FileStatus(of: file), let bytes = OutputFileSystem.contents(ofOption: file)
      else {
        throw FetchError("\(name): \(OutputFileSystem.whyUnreadable(file))", .unusableInput)
      }
      if status.mode & 0o077 != 0 {
        // Safe: the path is read during the call. Credentials of systemd have a list with the service's user.
        switch unsafe file.withCString({ unsafe subreport_listed_readers($0) }) {
        case 0: break
        case 1:
          throw FetchError(
            "\(name): its access list (ACL) lets others read it: setfacl -b, then chmod 600",
            .unusableInput)
        default:
          let mode = String(status.mode & 0o777, radix: 8)
          throw FetchError("\(name): mode 0\(mode) lets others read it: chmod 600", .unusableInput)
        }
      }
      text = String(decoding: bytes, as: UTF8.self)
    }
    guard let key = SigningKey(id: id, issuer: issuer, text: text) else {
      let first = text.split(whereSeparator: \.isNewline).first ?? ""
      let label = first.hasPrefix(begin) ? first.replacing("-----", with: "") : "no PEM"
      throw FetchError(
        "\(name): not a P-256 private key (found \(quotedExcerpt(label)))", .unusableInput)
    }
    return key
  }

  // MARK: Values

  private func text(_ key: FetchSettingKey, _ place: Int?) -> (text: String, origin: String)? {
    value(key, place).flatMap { value in value.texts.last.map { ($0, value.origin) } }
  }

  /// Returns a value: that of the account, else that of the environment, else that of `[fetch]`.
  private func value(_ key: FetchSettingKey, _ place: Int?) -> Settings.Value? {
    if let place, let own = settings.fetch[.init(account: place, key: key)] { return own }
    if let variable = key.variable, let text = Settings.environment(variable) {
      let texts = key.shape == .list ? text.split(separator: ";").map(String.init) : [text]
      return Settings.Value(texts: texts, origin: variable)
    }
    return settings.fetch[.init(account: nil, key: key)]
  }
}
