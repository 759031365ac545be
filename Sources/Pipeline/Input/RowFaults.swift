import AppStoreReports
import Files
import Scanning

/// Looks for faults in the rows of files for the same report.
///
/// A file with faults never replaces one without: METRICS.md section 7, "Conflicts".
enum RowFaults {
  /// Returns the files to replace by an older version without faults, each with its problem.
  ///
  /// - Parameters:
  ///   - files: All files with their roles.
  ///   - reports: Each thread's reports on the files that it read, by file index.
  /// - Returns: The damaged files; none for reports without a good older version.
  static func damagedVersions(
    _ files: [RecognizedFile], _ reports: [[(index: Int, report: FileReport)]]
  ) -> [(index: Int, problem: FileProblem)] {
    var older: [Int: [Int]] = [:]
    for (index, file) in files.enumerated() {
      if case .ignoreFor(let newest, .restated) = file.role {
        older[newest, default: []].append(index)
      }
    }
    return reports.joined().flatMap { index, report -> [(index: Int, problem: FileProblem)] in
      guard let versions = older[index], report.rows.rejected > 0 || report.file.endsInsideLine
      else { return [] }
      // The newest version without faults counts; all later versions are refused.
      guard let good = versions.last(where: { !hasFaults(files[$0]) }) else { return [] }
      let problem = FileProblem(FinanceError.damagedCopy(of: files[good].file.relativePath))
      return ([index] + versions.filter { $0 > good }).map { ($0, problem) }
    }
  }

  /// Returns whether a report has a rejected row, or cannot be read to its end.
  private static func hasFaults(_ file: RecognizedFile) -> Bool {
    guard let header = file.header, !file.file.endsInsideLine else { return true }
    var readers = RowReaders()
    readers.prepare(header, Registries(), readsAllTypes: true)
    readers.beginFile(file.nearbyDays)
    var isRejected = false
    do throws(ScanError) {
      var scanner = try LineScanner(path: file.file.path)
      try scanner.forEachLine { line, place in
        guard place.number > header.headerLine, header.isDataRow(line, place) else { return .next }
        isRejected = readers.rejects(line, place)
        return isRejected ? .stop : .next
      }
    } catch {
      return true
    }
    return isRejected
  }
}

extension RowReaders {
  /// Returns whether the reader of its kind rejects a row.
  fileprivate mutating func rejects(_ line: Span<UInt8>, _ place: Line) -> Bool {
    if case .rejected = subscriber?.read(line, place, fileIndex: 0, row: 0) { return true }
    if case .rejected = event?.read(line, place) { return true }
    if case .rejected = snapshot?.read(line, place) { return true }
    if case .rejected = sales?.read(line, place) { return true }
    return false
  }
}

extension InputFile {
  /// Whether the file is not gzip and lacks a line feed at its end, as after an interrupted download.
  var endsInsideLine: Bool {
    guard let ends = FileEnds(of: path), !ends.isGzip, let last = ends.last.last else {
      return false
    }
    return last != 0x0A
  }
}

extension FileEnds {
  /// Whether the file begins as gzip does.
  var isGzip: Bool { first == [0x1F, 0x8B] }
}
