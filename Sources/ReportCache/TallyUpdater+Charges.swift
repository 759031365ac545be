import Pipeline
import Storage
import SubscriptionModel

/// Finds the charges of changed subscribers: those with a row in a report that is new or gone.
extension TallyUpdater {
  /// The charges that one thread has read from entries of the last run's reports.
  private struct Reading: ~Copyable {
    var reader: ExtractReader
    var columns = ChargeColumns()
    var chosen = ChosenCharges()
    var charges = ChargeStore()
    var isWhole = true

    init(_ context: ReadContext) { reader = ExtractReader(context.registries) }
  }

  /// Returns the charges of reports that are new or gone; `nil` if an entry cannot be read.
  ///
  /// The file number in a charge's order is the report's place in ``reports``.
  func otherCharges(_ new: [ChargeStore]) -> ChargeStore? {
    var reading = Reading(context)
    // A list, because each charge searches it: explanations read the charges of all reports.
    var placeOfIndex = [Int?](repeating: nil, count: context.survey.files.count)
    for (place, report) in reports.enumerated() {
      switch (report.lastIndex, report.index) {
      case (nil, let index?): placeOfIndex[index] = place
      case (_, nil): readAll(place, &reading)
      // A report of both runs: its charges are read from its entry, even if this run read the file again.
      default: break
      }
    }
    guard reading.isWhole else { return nil }
    for chunk in new.lazy.flatMap(\.partitions).flatMap(\.chunks) {
      for record in chunk {
        // Skip charges of unusable files, and of reports that the last run had already.
        guard let place = placeOfIndex[Int(record.order >> 32)] else { continue }
        var placed = record
        placed.order = UInt64(place) << 32 | record.order & 0xFFFF_FFFF
        reading.charges.append(placed)
      }
    }
    return reading.charges
  }

  /// Returns some subscribers' charges in reports of both runs; `nil` if an entry cannot be read.
  func commonCharges(of changed: SubscriberSet) -> [ChargeStore]? {
    if changed.count == 0 { return [] }
    let parts = Workers.run(
      count: reports.count, jobs: context.plan.jobs, makeState: { Reading(context) },
      work: { reading, place in
        guard reports[place].index != nil else { return }
        read(changed, place, &reading)
      },
      finish: { reading in (charges: reading.charges, isWhole: reading.isWhole) })
    guard parts.allSatisfy(\.isWhole) else { return nil }
    return parts.map(\.charges)
  }

  /// Reads all charges of a report that is gone.
  private func readAll(_ place: Int, _ reading: inout Reading) {
    read(place, &reading) { reading, terms in
      reading.columns.removeAll()
      reading.columns.codeCharges(with: &reading.reader)
      guard reading.reader.close(isWhole: false), reading.columns.hasTerms(below: terms.count)
      else { return false }
      reading.columns.forEach(inFile: place, terms) { reading.charges.append($0) }
      return true
    }
  }

  /// Reads some subscribers' charges in a report, if the last run had it.
  private func read(_ some: SubscriberSet, _ place: Int, _ reading: inout Reading) {
    read(place, &reading) { reading, terms in
      reading.chosen.read(of: some, with: &reading.reader, termsCount: terms.count)
      guard reading.reader.close(isWhole: false) else { return false }
      reading.chosen.forEach(inFile: place, terms) { reading.charges.append($0) }
      return true
    }
  }

  /// Opens the entry of a report's charges, if the last run had the report.
  ///
  /// An untrusted entry is rebuilt later, when the run reads all charges.
  private func read(
    _ place: Int, _ reading: inout Reading,
    charges: (_ reading: inout Reading, _ terms: [UInt32]) -> Bool
  ) {
    guard reading.isWhole, let lastIndex = reports[place].lastIndex else { return }
    let extract = last.entries[lastIndex]
    reading.isWhole =
      cache.open(extract.name, in: cache.folder.extracts, about: nil, with: &reading.reader)
      && charges(&reading, extract.terms)
  }
}
