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

  /// Keeps the content of a finance file, unless it is invalid or its period ends after as-of.
  mutating func finishFinance() {
    guard let found = extract.finance else { return }
    do throws(FinanceError) {
      let file = try found.get()
      report.period = file.period.description
      report.trailers = file.trailers
      if let asOf = context.plan.asOf, file.period.lastDay > asOf {
        report.rows.ignoreAll(.afterAsOf)
        report.isUsed = false
      } else if let problem = file.problem {
        report.refuse(FileProblem(problem))
      } else {
        result.financeFiles.append(file)
      }
    } catch {
      report.refuse(FileProblem(error))
    }
  }
}
