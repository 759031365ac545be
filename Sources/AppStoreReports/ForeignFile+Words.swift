/// Texts of messages about files that are neither reports nor dumps.
extension ForeignFile {
  /// The noun for one file, such as `a zip archive`.
  package var noun: String {
    switch self {
    case .zip: "a zip archive"
    case .emptyZip: "an empty zip archive"
    case .spreadsheet: "a spreadsheet"
    case .gzipTwice: "gzip data inside gzip"
    case .gzipStub: "only the first byte of a gzip file"
    case .xz: "a file packed with xz"
    case .zstandard: "a file packed with zstd"
    case .bzip2: "a file packed with bzip2"
    case .sevenZip: "a 7z archive"
    case .rar: "a rar archive"
    case .tar: "a tar archive"
    case .webPage: "a web page"
    case .pdf: "a PDF"
    case .utf16: "text in UTF-16, as spreadsheets save it"
    case .utf16JSON: "JSON in UTF-16"
    case .otherEncoding: "a table that is not UTF-8, as spreadsheets save it"
    case .analytics: "an Apple Analytics report"
    case .salesEvents: "a Sales Events report"
    case .googlePlay: "a Google Play report"
    case .revenueCat: "a RevenueCat file other than an export of transactions"
    case .fivetran: "a Fivetran table"
    case .table: "a table with unknown columns"
    case .json: "JSON other than receipts, notifications and answers from Apple"
    case .other: "unrecognized content"
    }
  }

  /// The noun for several files, such as `zip archives`.
  private var plural: String {
    switch self {
    case .zip: "zip archives"
    case .emptyZip: "empty zip archives"
    case .spreadsheet: "spreadsheets"
    case .gzipTwice: "files with gzip data inside gzip"
    case .gzipStub: "files with only the first byte of a gzip file"
    case .xz: "files packed with xz"
    case .zstandard: "files packed with zstd"
    case .bzip2: "files packed with bzip2"
    case .sevenZip: "7z archives"
    case .rar: "rar archives"
    case .tar: "tar archives"
    case .webPage: "web pages"
    case .pdf: "PDFs"
    case .utf16: "texts in UTF-16, as spreadsheets save them"
    case .utf16JSON: "JSON files in UTF-16"
    case .otherEncoding: "tables that are not UTF-8, as spreadsheets save them"
    case .analytics: "Apple Analytics reports"
    case .salesEvents: "Sales Events reports"
    case .googlePlay: "Google Play reports"
    case .revenueCat: "RevenueCat files other than exports of transactions"
    case .fivetran: "Fivetran tables"
    case .table: "tables with unknown columns"
    case .json: "JSON files other than receipts, notifications and answers from Apple"
    case .other: "other files"
    }
  }

  /// Returns the number of files with the noun, such as `2 zip archives`.
  ///
  /// - Parameter count: How many files there are, at least 1.
  /// - Returns: The text.
  package func counted(_ count: Int) -> String {
    if count > 1 { return "\(count) \(plural)" }
    switch self {
    case .other: return "1 other file"
    case .gzipTwice, .gzipStub, .utf16, .utf16JSON, .revenueCat, .json: return "1 file: \(noun)"
    default: return "1 " + noun.drop { $0 != " " }.dropFirst()
    }
  }

  /// Returns what to do about the files, or why there is nothing to do.
  ///
  /// - Parameter count: How many files there are, at least 1.
  /// - Returns: The text.
  package func advice(_ count: Int = 1) -> String {
    let it = count == 1 ? "it" : "them"
    switch self {
    case .zip, .sevenZip, .rar: return "unpack \(it)"
    case .tar: return "unpack \(it) with tar -xf"
    case .gzipTwice: return "unpack \(it) once with gzip -d"
    case .xz: return "unpack \(it) with xz -d"
    case .zstandard: return "unpack \(it) with zstd -d"
    case .bzip2: return "unpack \(it) with bzip2 -d"
    case .gzipStub, .emptyZip: return "download \(it) again"
    case .spreadsheet:
      return "export \(it) as tab-separated text, or download "
        + "\(count == 1 ? "the report" : "the reports") again as Apple sends \(it)"
    case .utf16, .otherEncoding:
      return "download \(count == 1 ? "the report" : "the reports") again as Apple sends \(it), "
        + "because spreadsheets change dates and ids"
    case .utf16JSON: return "convert \(it) to UTF-8, such as with iconv -f UTF-16 -t UTF-8"
    case .webPage: return "download \(it) again, because the login may have expired"
    case .pdf: return "download the report as text"
    case .analytics, .salesEvents: return "no table uses \(it); download Sales and Trends reports"
    case .googlePlay: return "subreport reads reports of the App Store only"
    case .revenueCat: return "use RevenueCat's scheduled export of transactions instead"
    case .fivetran: return "use the reports as Apple sends them instead"
    case .table:
      return "if \(count == 1 ? "it holds" : "they hold") transactions, name the columns under "
        + "[receipts.columns] in the config"
    case .json: return "no table uses \(it)"
    case .other:
      return "if \(count == 1 ? "it is a report" : "they are reports"), download \(it) again"
    }
  }

  /// The remark in `health.csv` about a file in a folder.
  package var remark: String {
    self == .other ? "unrecognized file" : "unrecognized file: \(noun)"
  }

  /// What was found and what was expected, for an error about one file.
  package var message: String {
    let expected = "expected an App Store Connect report or a dump of receipts"
    return self == .other ? "found \(noun), \(expected)" : "found \(noun), \(expected): \(advice())"
  }
}
