import ArgumentParser
import Scanning
import Storage

/// The contents of a `subreport.toml`; an error in it is one line with file and line.
struct ConfigFile {
  /// A text and the place of its key.
  struct PlacedText {
    let text: String
    let path: String
    /// The line, from 1.
    let line: Int

    /// File and line, for messages.
    var place: String { "\(path):\(line)" }
  }

  /// A section of the file whose keys the user chooses, such as products in `[plans]`.
  enum Section: String, CaseIterable {
    case groups, durations, consent, accounts, plans, accept
    case receiptColumns = "receipts.columns"

    /// What its keys and values are, for the manual page; docs/settings.md says the same.
    var meaning: String {
      switch self {
      case .groups: "products: the subscription group of a product, where receipts name none"
      case .durations: "products: how long a product without an expiry runs, such as 7 Days"
      case .consent:
        "storefronts: when customers must agree to a price increase, such as US = \"USD 50 5.00 50.00\": currency, percentage, and the amounts for plans shorter than a year and of a year"
      case .accounts:
        "lines: the accounts of reconcile --export hledger, such as payment = \"assets:bank\""
      case .plans:
        "products: how a product of one year is paid, by name or id: \"upfront\", \"commitment\", or the prices of its monthly instalments, such as [\"9.99 USD\"]"
      case .accept:
        "missing, rejected: known faults, which give no message and no exit code until something new happens, such as missing = [\"subscriber 2026-02-26\", \"sales 2026-02-01..2026-02-03 of vendor 80012345\"]"
      case .receiptColumns:
        "fields: the headers of a receipt table other than RevenueCat's and Adapty's, such as purchase_date = \"bought_at\""
      }
    }
  }

  /// The character that joins the texts of a list, which is one text in ``sections``.
  static let separator: Character = "\n"

  /// The place of a setting of `fetch`: `[fetch]`, or an account by its number from 0.
  struct FetchPlace: Hashable {
    let account: Int?
    let key: FetchSettingKey
  }

  let path: String
  /// The settings of `fetch`.
  private(set) var fetch: [FetchPlace: Settings.Value] = [:]
  private(set) var values: [SettingKey: [String]] = [:]
  /// The texts of each section, by key.
  private(set) var sections: [Section: [ExactText: PlacedText]] = [:]

  /// The only key of `[anonymize]`, which is a setting.
  private static let anonymize = ["anonymize", "key"]

  /// Reads a file; `path` is its name, for messages.
  init(_ bytes: [UInt8], path: String) throws(UsageError) {
    self.path = path
    let document: TOMLDocument
    do {
      document = try TOMLDocument(bytes)
    } catch {
      throw UsageError("\(path):\(error.line):\(error.column): \(error.message)")
    }
    for header in document.headers { try check(header) }
    for entry in document.entries { try read(entry) }
  }

  /// Refuses the header of an unknown section.
  private func check(_ header: TOMLDocument.Header) throws(UsageError) {
    let name = header.path.joined(separator: ".")
    guard Section(rawValue: name) == nil, !["anonymize", "receipts", "fetch"].contains(name),
      Self.account(header.path) == nil
    else { return }
    let known = Section.allCases.map(\.rawValue) + ["anonymize", "fetch"]
    throw UsageError(
      "\(path):\(header.line): no section \(quotedExcerpt(name)); \(Nearest.advice(name, among: known))"
    )
  }

  private mutating func read(_ entry: TOMLDocument.Entry) throws(UsageError) {
    let place = "\(path):\(entry.line)"
    if entry.path == Self.anonymize {
      values[.anonymizeKey] = [try text(entry.value, place, "[anonymize] key")]
    } else if entry.path[0] == "fetch" {
      try readFetch(entry, place)
    } else if entry.path.count == 1 {
      try readSetting(entry, place)
    } else {
      try readSectionKey(entry, place)
    }
  }

  /// Returns the number of an account from the names of its table, `fetch`, `account` and the number.
  private static func account(_ path: [String]) -> Int? {
    path.count == 3 && path[0] == "fetch" && path[1] == "account" ? Int(path[2]) : nil
  }

  /// Reads a key of `[fetch]` or of `[[fetch.account]]`.
  private mutating func readFetch(
    _ entry: TOMLDocument.Entry, _ place: String
  ) throws(UsageError) {
    let table = Array(entry.path.dropLast())
    let name = entry.path.last ?? ""
    let account = Self.account(table)
    guard table.count == 1 || account != nil, let key = FetchSettingKey(rawValue: name) else {
      let advice = Nearest.advice(name, among: FetchSettingKey.allCases.map(\.rawValue))
      throw UsageError("\(place): unknown key \(quotedExcerpt(name)) below [fetch]; \(advice)")
    }
    guard let texts = Self.texts(entry.value, key.shape) else {
      throw UsageError("\(place): \(key.rawValue) is \(key.shape.example)")
    }
    let value = Settings.Value(texts: texts, origin: "\(place): \(key.rawValue)")
    fetch[FetchPlace(account: account, key: key)] = value
  }

  private mutating func readSetting(
    _ entry: TOMLDocument.Entry, _ place: String
  ) throws(UsageError) {
    guard let key = SettingKey(rawValue: entry.path[0]), SettingKey.stored.contains(key) else {
      throw unknownKey(entry.path[0], place)
    }
    guard let texts = Self.texts(entry.value, key.setting.shape) else {
      throw UsageError("\(place): \(key.rawValue) is \(key.setting.shape.example)")
    }
    values[key] = texts
  }

  /// Reads a key of a section, such as `"com.example.month" = "premium"`.
  private mutating func readSectionKey(
    _ entry: TOMLDocument.Entry, _ place: String
  ) throws(UsageError) {
    let parts = entry.path
    let section = Section.allCases.first {
      parts.starts(with: $0.path) && parts.count > $0.path.count
    }
    guard let section else {
      throw unknownKey(parts.joined(separator: "."), place)
    }
    let key = parts.dropFirst(section.path.count)
    let name = key.joined(separator: ".")
    guard key.count == 1 else {
      throw UsageError(
        "\(place): [\(section.rawValue)] \(quotedExcerpt(name)) has dots; put the whole key in quotes"
      )
    }
    let shown = "[\(section.rawValue)] \(printable(name))"
    let value: String
    if section == .accept {
      guard let texts = Self.texts(entry.value, .list) else {
        throw UsageError("\(place): \(shown) is \(Setting.Shape.list.example)")
      }
      value = texts.joined(separator: String(Self.separator))
    } else if section == .plans, let texts = Self.texts(entry.value, .list) {
      value = texts.joined(separator: String(Self.separator))
    } else {
      value = try text(entry.value, place, shown)
    }
    sections[section, default: [:]][name] = PlacedText(text: value, path: path, line: entry.line)
  }

  private func unknownKey(_ name: String, _ place: String) -> UsageError {
    let near = Nearest.advice(name, among: SettingKey.stored.map(\.rawValue), limit: 0)
    let advice = near.isEmpty ? "subreport config lists all keys" : near
    return UsageError("\(place): unknown key \(quotedExcerpt(name)); \(advice)")
  }

  private func text(
    _ value: TOMLValue, _ place: String, _ name: String
  ) throws(UsageError) -> String {
    guard case .string(let text) = value else {
      throw UsageError("\(place): \(name) is \(Setting.Shape.text.example)")
    }
    return text
  }

  /// Returns a value as texts; `nil` if it does not have the shape.
  private static func texts(_ value: TOMLValue, _ shape: Setting.Shape) -> [String]? {
    switch (shape, value) {
    case (.text, .string(let text)): [text]
    case (.whole, .integer(let number)): [String(number)]
    case (.flag, .boolean(let isSet)): [String(isSet)]
    case (.list, .list(let values)):
      values.reduce([]) { texts, value in
        guard let texts, case .string(let text) = value else { return nil }
        return texts + [text]
      }
    default: nil
    }
  }
}

extension ConfigFile.Section {
  /// The parts of its header: `["receipts", "columns"]` for `[receipts.columns]`.
  fileprivate var path: [String] { rawValue.split(separator: ".").map(String.init) }
}

extension Setting.Shape {
  fileprivate var example: String {
    switch self {
    case .text: "text in quotes"
    case .list: "a list of texts, such as [\"a\", \"b\"]"
    case .whole: "a whole number without quotes"
    case .flag: "true or false, without quotes"
    }
  }
}
