import AppStoreReports
package import Storage
package import SubscriptionModel

/// The rows of one app in a report; of a SALES report, those of one Apple Identifier.
package struct AppRows: Equatable, Sendable {
  package var app: Symbol
  /// The day of the last charge; `nil` without a charge, and in reports other than SUBSCRIBER.
  package var lastCharge: Day?

  package init(app: Symbol, lastCharge: Day? = nil) {
    self.app = app
    self.lastCharge = lastCharge
  }
}

/// The accounts of a run's reports: which apps moved from one to another, and which account has ended by that:
/// METRICS.md 2.13.
struct Accounts {
  let transfers: AppTransfers
  /// The last report dates, of any kind, of the vendors without apps: no later day is missing.
  let closed: [String: Day]

  /// Days by which the old account's last charge may be later than the new account's first file.
  private static let overlapDays = 2
  /// The last days of an account that decide whether it has ended.
  private static let lastDays = 60

  /// Finds the transfers; `text` returns the text of an app.
  init(_ files: [FileReport], textOf text: (Symbol) -> String) {
    transfers = Self.transfers(files, textOf: text)
    closed = Self.closed(files, transfers)
  }

  // MARK: Transfers

  /// The rows of an app in an account.
  private struct Holding {
    var vendor: String
    /// The report date of the first file with a row.
    var first: Day
    var lastCharge: Day?
  }

  private static func transfers(
    _ files: [FileReport], textOf text: (Symbol) -> String
  ) -> AppTransfers {
    // Without two vendors, files have no list of apps.
    guard files.contains(where: { $0.kind == .subscriber && !$0.apps.isEmpty }) else {
      return .none
    }
    let items = VendorDays(.subscriber, files).items.filter { !$0.vendor.isEmpty }
    let holdings = holdings(files, items)
    var transfers = AppTransfers()
    transfers.vendors = [""] + Set(items.map(\.vendor)).sorted()
    let number = { (vendor: String) in UInt32(transfers.vendors.firstIndex(of: vendor) ?? 0) }
    let lastReports = Dictionary(items.map { ($0.vendor, $0.day) }, uniquingKeysWith: max)
    for (app, own) in holdings.sorted(by: { text($0.key).precedes(text($1.key)) }) {
      let inOrder = own.sorted { ($0.first, $0.vendor) < ($1.first, $1.vendor) }
      for (old, new) in zip(inOrder, inOrder.dropFirst())
      where old.first < new.first && old.lastCharge.map({ $0 <= new.first + overlapDays }) == true {
        transfers.all.append(
          AppTransfer(
            app: app, from: number(old.vendor), to: number(new.vendor), on: new.first,
            lastDay: min(new.first - 1, lastReports[old.vendor] ?? new.first - 1)))
      }
    }
    guard !transfers.isEmpty else { return .none }
    transfers.vendorOfFile = [UInt32](repeating: 0, count: files.count)
    for item in items { transfers.vendorOfFile[item.file] = number(item.vendor) }
    return transfers
  }

  private static func holdings(
    _ files: [FileReport], _ items: [VendorDays.Item]
  ) -> [Symbol: [Holding]] {
    var holdings: [Symbol: [Holding]] = [:]
    for item in items {
      for rows in files[item.file].apps {
        let found = Holding(vendor: item.vendor, first: item.day, lastCharge: rows.lastCharge)
        var own = holdings[rows.app, default: []]
        if let place = own.firstIndex(where: { $0.vendor == item.vendor }) {
          own[place].first = min(own[place].first, item.day)
          own[place].lastCharge = [own[place].lastCharge, rows.lastCharge].compactMap(\.self).max()
        } else {
          own.append(found)
        }
        holdings[rows.app] = own
      }
    }
    return holdings
  }

  // MARK: Closed accounts

  private static func closed(_ files: [FileReport], _ transfers: AppTransfers) -> [String: Day] {
    guard !transfers.isEmpty else { return [:] }
    // The last report date of each vendor with rows of an app.
    var last: [Symbol: [String: Day]] = [:]
    var lastOfVendor: [String: Day] = [:]
    for file in files where file.isUsed && !file.vendor.isEmpty && !file.kind.isFinance {
      guard let day = file.day else { continue }
      lastOfVendor[file.vendor] = max(lastOfVendor[file.vendor] ?? day, day)
      for rows in file.apps {
        let before = last[rows.app]?[file.vendor] ?? day
        last[rows.app, default: [:]][file.vendor] = max(before, day)
      }
    }
    let left = Set(transfers.all.map { transfers.vendors[Int($0.from)] })
    return lastOfVendor.filter { vendor, lastDay in
      guard left.contains(vendor) else { return false }
      let own = last.filter { $0.value[vendor].map { $0 > lastDay - lastDays } == true }
      return own.values.allSatisfy { days in
        days.contains { $0.key != vendor && $0.value > days[vendor] ?? $0.value }
      }
        && transfers.all.contains {
          transfers.vendors[Int($0.from)] == vendor && own[$0.app] != nil
        }
    }
  }
}
