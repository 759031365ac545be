import SubreportTestSupport
import Testing

/// Looks for a case of each error, so that no message goes unread.
@Suite("error codes")
struct ErrorCodeTests {
  /// Codes that a case cannot show, and why.
  private static let withoutCase = [
    "changed": "a file would have to be changed during a run: ExplanationTests",
    "cannot-export": "libxlsxwriter would have to be installed: WorkbookTests",
    "cannot-write": "standard output is a pipe that the runner reads",
    "fetch": "a server would have to answer: Tests/Fetch",
    "internal-error": "the program would have to be wrong: CacheChangingFilesTests",
    "interrupted": "a run would have to be stopped at the right moment",
    "dangling-link": "a link would have to lead nowhere: HostileFileTests",
    "mount-point": "a file system would have to be mounted",
    "output-not-synced": "a disk would have to refuse its confirmation: SystemLimitTests",
    "line-ends": "a file with CR would be changed by git: LineEndTests",
    "output-locked": "another process would have to hold the lock: LockedOutputTests",
    "cache-of-another-user": "the folder would have to be given away: UntrustedCacheTests",
    "cache-open-to-others": "the folder would have to be writable by others: UntrustedCacheTests",
  ]

  /// The types that have a code for each of their cases.
  private static let codedTypes = [
    "AppStoreReports/Finance/FinanceError", "AppStoreReports/HeaderError",
    "Files/Output/OutputError", "ReportCache/CacheFolder", "Scanning/Reject", "Scanning/ScanError",
    "Scanning/Zip/ZipError",
    "Pipeline/UserTables/RatesFile", "Pipeline/UserTables/UserTable",
  ]

  /// The codes in the sources: those of the types, and those that end a text as `[code]`.
  private static func codes() throws -> Set<String> {
    let folder = Repository.root + "/Sources/"
    var codes: Set<String> = []
    for type in codedTypes {
      let text = try #require(Files.text(of: folder + type + ".swift"), "\(type) is missing")
      codes.formUnion(text.matches(of: /[:=] "([a-z0-9-]+)"\n/).map { String($0.1) })
    }
    for path in Files.paths(below: folder) where path.hasSuffix(".swift") {
      let text = Files.text(of: folder + path) ?? ""
      codes.formUnion(text.matches(of: /\[([a-z0-9-]+)\]"/).map { String($0.1) })
    }
    return codes
  }

  /// The codes that end a line of some case's standard error.
  private static func shownCodes() -> Set<String> {
    let folder = Repository.root + "/Tests/FunctionalTests/Cases/"
    var codes: Set<String> = []
    for path in Files.paths(below: folder) where path.hasSuffix("/stderr") {
      let text = Files.text(of: folder + path) ?? ""
      codes.formUnion(text.matches(of: /\[([a-z0-9-]+)\]\n/).map { String($0.1) })
    }
    return codes
  }

  @Test
  func `are each shown by a case`() throws {
    let codes = try Self.codes()
    #expect(codes.isSuperset(of: ["apple-error", "foreign-file", "gzip-damaged", "not-a-date"]))
    let missing = codes.subtracting(Self.shownCodes()).subtracting(Self.withoutCase.keys)
    #expect(missing.isEmpty, "add a case below Cases/errors for each")
  }

  @Test
  func `without a case are codes still, and really have none`() throws {
    let exceptions = Set(Self.withoutCase.keys)
    #expect(try Self.codes().isSuperset(of: exceptions))
    #expect(Self.shownCodes().isDisjoint(with: exceptions))
  }

  @Test
  func `of cases are known to the sources`() throws {
    #expect(Self.shownCodes().subtracting(try Self.codes()).isEmpty)
  }
}
