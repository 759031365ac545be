import AppStoreReports
package import Pipeline
import Rendering
import Scanning
import Storage

/// Notes on files that do not fit their names; notes do not change the exit code.
extension RunResult {
  /// A line for each pair of days with the same bytes.
  package var oddFileNotes: [String] { files.flatMap(\.sameBytes).unique }
}
