import Storage
package import SubscriptionModel

extension AppTransfers {
  /// Writes or reads all fields.
  ///
  /// - Parameters:
  ///   - files: The number of files.
  ///   - coder: Writes the fields, or reads them into an empty value.
  package mutating func code<Coder: ExtractCoder>(files: Int, with coder: inout Coder) {
    let blank = AppTransfer(
      app: .blank, from: 0, to: 0, on: Day(number: 0), lastDay: Day(number: 0))
    coder.list(&all, blank: blank) { transfer, coder in
      coder.symbol(&transfer.app)
      coder.integer(&transfer.from)
      coder.integer(&transfer.to)
      coder.day(&transfer.day)
      coder.day(&transfer.lastDay)
    }
    coder.list(&vendors, blank: "") { $1.text(&$0) }
    coder.list(&vendorOfFile, blank: 0) { $1.integer(&$0) }
    guard coder.isReading, !isEmpty else { return }
    let isVendor = { [count = vendors.count] (number: UInt32) in number < count }
    guard vendorOfFile.count == files, vendorOfFile.allSatisfy(isVendor),
      all.allSatisfy({ isVendor($0.from) && isVendor($0.to) })
    else { return coder.fail() }
  }
}
