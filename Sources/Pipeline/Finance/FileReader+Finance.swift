import AppStoreReports
import Scanning
import SubscriptionModel

extension FileReader {
  /// Reads a finance file to its end.
  mutating func readFinance(_ recognized: RecognizedFile, _ index: Int) throws(ScanError) {
    financeReader = FinanceFileReader(
      recognized.header, context.registries, context.plan.financeRegions)
    report.sha256 = try financeReader.read(recognized, context.progress, &report, &outcomes)
    report.isUsed = true
    do throws(FinanceError) {
      extract.finance = .success(try financeReader.finish(recognized, index))
    } catch {
      extract.finance = .failure(error)
    }
  }

  /// Keeps the content of a finance file, also one with a problem; not if its period ends after as-of.
  mutating func finishFinance(_ recognized: RecognizedFile) {
    guard let found = extract.finance else { return }
    if context.plan.filters.excludesVendor(recognized.vendor) {
      // Read only to find the vendor of payments CSVs that state none.
      report.rows.ignoreAll(.otherVendor)
      (report.isUsed, report.rejects) = (false, [])
      if case .success(let file) = found, file.problem == nil { result.financeFiles.append(file) }
      return
    }
    do throws(FinanceError) {
      let file = try found.get()
      report.period = file.period.description
      report.trailers = file.trailers
      if let asOf = context.plan.asOf, file.period.lastDay > asOf {
        report.rows.ignoreAll(.afterAsOf)
        report.isUsed = false
        return
      }
      if let problem = file.problem { report.refuse(FileProblem(problem)) }
      result.financeFiles.append(file)
    } catch {
      report.refuse(FileProblem(error))
    }
  }
}
