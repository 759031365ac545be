import AppStoreReports
import Scanning
import SubscriptionModel

/// Reads the period of a finance file from its rows and preamble rather than its name.
struct FinancePeriodReader: ~Copyable {
  private var finance: FinanceReader?
  private var payments: PaymentsReader?

  /// Creates a reader of one file; `nil` when the report is no finance file.
  init?(_ header: ReportHeader) {
    let (registries, regions) = (Registries(), FinanceRegions.apple)
    switch header.kind {
    case .payments:
      payments = PaymentsReader(header: header, registries: registries, regions: regions)
    case .financial, .financeDetail:
      finance = FinanceReader(header: header, registries: registries, regions: regions)
    default: return nil
    }
  }

  /// Reads a line.
  mutating func read(_ line: Span<UInt8>, _ place: Line) {
    _ = finance?.read(line, place)
    _ = payments?.read(line, place)
  }

  /// Returns the period; `nil` when the file does not state one.
  consuming func period(name: ReportName) -> FiscalPeriod? {
    do throws(FinanceError) {
      if let reader = payments.take() { return try reader.finish(fileIndex: 0).period }
      return try finance.take()?.finish(name: name, fileIndex: 0).statement.period
    } catch {
      return nil
    }
  }
}
