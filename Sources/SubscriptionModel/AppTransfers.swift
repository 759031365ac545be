package import Storage

/// An app that moved from one account to another: METRICS.md 2.13.
@usableFromInline
package struct AppTransfer: Equatable, Sendable, BitwiseCopyable {
  package var app: Symbol
  /// The old and the new account, as numbers of ``AppTransfers/vendors``.
  package var (from, to): (UInt32, UInt32)
  /// The report date of the new account's first file with a row of the app.
  package var day: Day
  /// The last day on which the old account's reports show the app's subscribers.
  package var lastDay: Day

  package init(app: Symbol, from: UInt32, to: UInt32, on day: Day, lastDay: Day) {
    self.app = app
    (self.from, self.to) = (from, to)
    self.day = day
    self.lastDay = lastDay
  }
}

/// The apps of a run that moved from one account to another, and the account of each file: METRICS.md 2.13.
package struct AppTransfers: Equatable, Sendable {
  /// For runs in which no app moved.
  package static let none = AppTransfers()

  /// The transfers, by the text of the app and then by day.
  package var all: [AppTransfer] = []
  /// The vendor numbers of the accounts, in order; blank for files without one.
  package var vendors: [String] = []
  /// The account of each file of the run, as the number of its vendor; empty if no app moved.
  package var vendorOfFile: [UInt32] = []

  package init() {}

  package var isEmpty: Bool { all.isEmpty }

  /// Whether the same apps moved between the same accounts, whatever the files.
  package func agrees(with other: AppTransfers) -> Bool {
    all == other.all && (isEmpty || vendors == other.vendors)
  }

  /// Returns the account of a file, as the number of its vendor; 0 if no app moved.
  package func vendor(ofFile index: Int) -> UInt32 { isEmpty ? 0 : vendorOfFile[index] }

  /// Returns the same transfers for some of the files.
  ///
  /// - Parameter files: The indices of these files, in their new order.
  /// - Returns: The transfers.
  package func of(_ files: [Int]) -> AppTransfers {
    with(vendorOfFile: files.map(vendor(ofFile:)))
  }

  /// Returns the same transfers for files in another order.
  ///
  /// - Parameter vendorOfFile: The account of each file in that order.
  /// - Returns: The transfers.
  package func with(vendorOfFile: [UInt32]) -> AppTransfers {
    var other = self
    if !isEmpty { other.vendorOfFile = vendorOfFile }
    return other
  }

  /// Returns the days on which an app moved.
  package func days(of app: Symbol) -> [Day] { all.filter { $0.app == app }.map(\.day) }

  /// Returns the transfer that brought an app to the account of a row.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - row: The place of the row in the run, as ``ChargeRecord/order`` has it.
  /// - Returns: `nil` without one.
  package func transfer(of app: Symbol, to row: UInt64) -> AppTransfer? {
    all.first { $0.app == app && $0.to == vendorOfFile[Int(row >> 32)] }
  }

  /// Returns the transfer that took an app from the account of a row.
  package func transfer(of app: Symbol, from row: UInt64) -> AppTransfer? {
    all.first { $0.app == app && $0.from == vendorOfFile[Int(row >> 32)] }
  }
}
