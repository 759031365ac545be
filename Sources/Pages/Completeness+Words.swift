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
}
