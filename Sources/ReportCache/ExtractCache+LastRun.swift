import AppStoreReports
public import Metrics
public import Pipeline

extension ExtractCache {
  /// Compares a run with the last one with the same inputs and settings, and replaces its record.
  ///
  /// - Parameter result: The run.
  /// - Returns: What changed in past data, one line for each report or headline number; empty for the first run.
  /// - Throws: ``ConversionError``, which a run without a conversion does not have.
  public func changesSinceLastRun(_ result: RunResult) throws(ConversionError) -> [String] {
    let name = RunRecord.name(result.plan)
    var record = try RunRecord(result)
    let last = lastRun(name)
    var writer = ExtractWriter(Registries())
    record.code(with: &writer)
    entries.keep(writer.bytes, named: name, in: entries.folder.runs)
    return last.map { RunComparison($0, record).lines } ?? []
  }

  private func lastRun(_ name: String) -> RunRecord? {
    let about = "the last run"
    var reader = ExtractReader(Registries())
    var record = RunRecord()
    guard entries.open(name, in: entries.folder.runs, about: about, with: &reader) else {
      return nil
    }
    record.code(with: &reader)
    return entries.close(&reader, about: about) ? record : nil
  }
}
