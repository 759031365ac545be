import AppStoreReports
package import Pipeline
import Rendering
import Scanning
import Storage

/// Notes on files that do not fit their names; notes do not change the exit code.
extension RunResult {
  /// A line for each pair of days with the same bytes, and one for payments files that `--vendor` cannot match.
  package var oddFileNotes: [String] {
    var notes = files.flatMap(\.sameBytes).unique
    let nameless = files.count {
      $0.kind == .payments && $0.rows.ignored[.noVendor] != nil
    }
    if nameless > 0 {
      notes.append(
        "note: payments files name no vendor and are left out (\(counted(nameless, "file"))), because there are finance files of several vendors"
      )
    }
    return notes
  }
}
