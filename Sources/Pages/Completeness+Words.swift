import Counting

extension Completeness.Gap {
  /// The reason in words, such as `days are missing`.
  var reason: String {
    switch self {
    case .leftOutRecords: "records after as-of are left out"
    case .missingDays: "days are missing"
    case .sharedFiles: "its files cover other days too"
    }
  }

  /// The end of a sentence about an amount of the month.
  var qualification: String {
    switch self {
    case .leftOutRecords: "without the records after as-of"
    case .missingDays: "without the days that are missing"
    case .sharedFiles: "from files that cover other days too"
    }
  }
}
