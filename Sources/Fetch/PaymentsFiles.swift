import Files
import Scanning
import SubscriptionModel

/// The payments files of an archive, which are in no API: people put them into `payments/`.
struct PaymentsFiles {
  /// The first bytes of all files, and their names.
  private let texts: [String]

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let neededBytes = 4 << 10

  init(_ archive: String) {
    let folder = archive + "/payments"
    let names = (try? OutputFileSystem.names(in: folder)) ?? []
    texts = names.map { name in
      var start: [UInt8] = []
      if var bytes = try? ByteStream(path: folder + "/" + name) {
        try? bytes.read(into: &start, atMost: Self.neededBytes)
      }
      return name + "\n" + String(decoding: start, as: UTF8.self)
    }
  }

  /// Returns whether there is a file of a period, whose first line or name has its month: `(January, 2026)`, `2026-01`.
  func has(_ period: FiscalPeriod) -> Bool {
    let month = period.nameMonth
    let marks = [
      "(\(Self.months[month.monthOfYear - 1]), \(month.year))", month.description,
      period.description,
    ]
    return texts.contains { text in marks.contains { text.contains($0) } }
  }
}

extension FetchSession {
  /// Names the settled periods of a year whose payments file is not in the archive, 33 days after their end.
  func sayPayments() {
    let today = instant.pacificClock.day
    let settled = index.records.filter { key, record in
      key.kind.service == .finance && record.state == .present
        && (33...Schedule.lastAge).contains(today - key.slot.lastDay)
    }
    let periods = Set(settled.keys.map(\.slot)).sorted()
    guard !periods.isEmpty else { return }
    let files = PaymentsFiles(archive.root)
    let wanted = periods.compactMap { slot in
      if case .period(let period) = slot, !files.has(period) { return period.description }
      return nil
    }
    guard !wanted.isEmpty else { return }
    print(
      "payments of \(wanted.joined(separator: ", ")) are in no API: download them by hand (Payments and Financial Reports) into \(archive.root)/payments"
    )
  }
}
