/// The reasons for which a world cannot be created or written.
package enum SimulationError: Error, Equatable, Sendable {
  /// A day is not written as `2026-01-31`, does not exist, or is before 1990 or after 2199.
  case malformedDay(String)
  case reversedDays(first: String, last: String)
  /// The window has more days than ``WorldOptions/dayLimit``; the value is its number of days.
  case tooManyDays(Int)
  /// The number of subscribers is below 1 or above ``WorldOptions/subscriberLimit``.
  case impossibleSubscribers(Int)
  /// The number of customers with signed data is negative.
  case impossibleNotified(Int)
  /// A share is not a number from 0 to 1; `option` is its option, such as `--commitments`.
  case impossibleShare(option: String, found: String)
  /// A planted price is malformed, not in the catalogue, not in the window, or not a change of its kind.
  case impossiblePrice(found: String, expected: String)
  /// A planted price has a product, country or kind that is not among the words.
  case unknownWord(found: String, words: [String])
  /// More prices are planted than ``PlantedPrice/limit``; the value is their number.
  case tooManyPrices(Int)
  /// Finance files were requested, but no whole fiscal period lies in the window.
  ///
  /// The days are those of the next whole period.
  case noFiscalPeriod(first: String, last: String)
  case noReportKinds
  /// The folder exists and is not empty; nothing was written.
  case directoryNotEmpty(String)
  /// A file or folder could not be created or written; `code` is the system's `errno`.
  case cannotWrite(path: String, code: Int32)
  /// zlib failed to compress a file; `code` is zlib's error code.
  case cannotCompress(path: String, code: Int32)
  /// The test certificates or a signature could not be made; `reason` is the library's message.
  case cannotSign(_ reason: String)
}

extension SimulationError: CustomStringConvertible {
  /// The error in one line, without the tool's prefix.
  package var description: String {
    switch self {
    case .malformedDay(let text): "\"\(text)\" is no day; use one such as 2026-01-31"
    case .reversedDays(let first, let last): "the last day \(last) is before the first day \(first)"
    case .tooManyDays(let days): "\(days) days are too many, the limit is \(WorldOptions.dayLimit)"
    case .impossibleSubscribers(let count):
      "--subscribers \(count): use 1 to \(WorldOptions.subscriberLimit)"
    case .impossibleNotified(let count): "--notified \(count): use 0 or more"
    case .impossibleShare(let option, let found):
      "\(option) \(found): use a share from 0 to 1 such as 0.4"
    case .impossiblePrice(let found, let expected): "price \"\(found)\": use \(expected)"
    case .unknownWord(let found, let words):
      "price \"\(found)\": use one of \(words.joined(separator: "; "))"
    case .tooManyPrices(let count):
      "\(count) prices are too many; use at most \(PlantedPrice.limit)"
    case .noFiscalPeriod(let first, let last):
      "no whole fiscal period lies in these days; use some such as \(first) to \(last)"
    case .noReportKinds: "no report to write"
    case .directoryNotEmpty(let path): "\(path): the folder is not empty"
    case .cannotWrite(let path, let code): "\(path): cannot write (system error \(code))"
    case .cannotCompress(let path, let code): "\(path): cannot compress (zlib error \(code))"
    case .cannotSign(let reason): "cannot sign (\(reason))"
    }
  }
}
