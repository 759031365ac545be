import Counting

extension SourceReport.State {
  /// The state in the words of the page; blank where nothing known is outstanding.
  var onPage: String {
    switch self {
    case .partial: "incomplete"
    case .provisional: "can still change"
    case .final: ""
    }
  }
}

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
