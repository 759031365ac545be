import Receipts
import Scanning

extension ReceiptOptions {
  /// Creates options from the arguments of ``ReceiptFile/init(_:roots:columns:)``.
  init(roots: [[UInt8]], columns: [String: String]) throws(ReceiptFile.Failure) {
    self.init()
    if !roots.isEmpty { self.roots = try RootCertificates(roots) }
    var headers: [ReceiptColumns.Field: String] = [:]
    for (name, header) in columns.sorted(by: { $0.key < $1.key }) {
      guard let field = ReceiptColumns.Field(rawValue: name) else {
        let advice = Nearest.advice(name, among: ReceiptColumns.Field.allCases.map(\.rawValue))
        throw ReceiptFile.Failure(
          "columns", code: "unknown-column", "no column \"\(name)\"; \(advice)")
      }
      headers[field] = header
    }
    if !headers.isEmpty { self.columns = ReceiptColumns(headers) }
  }
}

extension RootCertificates {
  fileprivate init(_ files: [[UInt8]]) throws(ReceiptFile.Failure) {
    self.init()
    for (index, file) in files.enumerated() {
      do throws(Fault) {
        try add(file)
      } catch {
        throw ReceiptFile.Failure("roots[\(index)]", code: "bad-certificate", error.message)
      }
    }
  }
}
