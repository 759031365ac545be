import Rendering

extension OutputFormat {
  /// The thing that a format with room for one view is, and the format to use for several; `nil` for other formats.
  var ofOneView: (what: String, other: String)? {
    switch self {
    case .json: ("array", "jsonl")
    case .svg: ("figure", "html")
    case .table, .csv, .tsv, .md, .jsonl, .html: nil
    }
  }
}
