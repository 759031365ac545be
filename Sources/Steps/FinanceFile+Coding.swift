import AppStoreReports
import Pipeline
import ReportCache
import Scanning
import Storage
import SubscriptionModel

extension FileExtract {
  /// Encodes a finance file, also one with faults, which the cache does not keep, or decodes it into this empty
  /// extract.
  ///
  /// `index` is the file's place in the order of all files of the run.
  mutating func codeFinance<Coder: ExtractCoder>(_ index: Int, with coder: inout Coder) {
    code(.unknown, index, with: &coder)
    var (file, fault): (FinanceFile?, FinanceError?) =
      switch finance {
      case .success(let file): (file, file.problem)
      case .failure(let error): (nil, error)
      case nil: (nil, nil)
      }
    var hasFile = file != nil
    coder.flag(&hasFile)
    if hasFile { FinanceFile.code(&file, index, with: &coder) }
    coder.optional(&fault, blank: .unknownRegion("")) { $0.code(with: &$1) }
    guard coder.isReading else { return }
    finance = fault.map { .failure($0) }
    guard let file else { return }
    finance = .success(
      FinanceFile(
        content: file.content, trailers: file.trailers, problem: fault, textHash: file.textHash))
  }
}

extension FinanceError {
  /// Encodes or decodes the error: a number for its case, and its values.
  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var (form, texts, numbers): (UInt8, [String], [Int]) =
      switch self {
      case .notAFiscalPeriod(let first, let last): (0, [], [Int(first.number), Int(last.number)])
      case .severalPeriods(let first, let last): (1, [], [Int(first.number), Int(last.number)])
      case .noPeriod(let expected): (2, [expected], [])
      case .trailerMismatch(let name, let printed, let sum): (3, [name, printed, sum], [])
      case .unknownRegion(let code): (4, [code], [])
      case .repeatedRegion(let region, let currency, let line): (5, [region, currency], [line])
      case .conflictingFiles(let other, let report): (6, [other, report], [])
      case .damagedCopy(let other): (7, [other], [])
      case .missingColumns(let names): (8, names, [])
      case .duplicateColumns(let names): (9, names, [])
      case .unknownColumns(let count): (10, [], [count])
      case .otherColumns(let line): (11, [], [line])
      // The following are found when all files are read.
      case .unknownVendor, .damagedPayment: (12, [], [])
      }
    if coder.isReading { (texts, numbers) = ([], []) }
    coder.integer(&form)
    coder.list(&texts, blank: "") { $1.text(&$0) }
    coder.list(&numbers, blank: 0) { $1.integer(&$0) }
    guard coder.isReading else { return }
    let day = { (number: Int) in Day(number: Int32(truncatingIfNeeded: number)) }
    let period = { (number: Int) in FiscalPeriod(number: Int32(truncatingIfNeeded: number)) }
    let possible =
      form == 0 ? Day.possibleNumbers : form == 1 ? Month.possibleNumbers : 0...Int32.max
    guard numbers.allSatisfy({ possible.contains(Int32(clamping: $0)) }) else {
      return coder.fail()
    }
    switch (form, texts.count, numbers.count) {
    case (0, 0, 2): self = .notAFiscalPeriod(firstDay: day(numbers[0]), lastDay: day(numbers[1]))
    case (1, 0, 2): self = .severalPeriods(period(numbers[0]), period(numbers[1]))
    case (2, 1, 0): self = .noPeriod(expected: texts[0])
    case (3, 3, 0): self = .trailerMismatch(name: texts[0], printed: texts[1], sum: texts[2])
    case (4, 1, 0): self = .unknownRegion(texts[0])
    case (5, 2, 1):
      self = .repeatedRegion(region: texts[0], currency: texts[1], line: numbers[0])
    case (6, 2, 0): self = .conflictingFiles(other: texts[0], report: texts[1])
    case (7, 1, 0): self = .damagedCopy(of: texts[0])
    case (8, _, 0): self = .missingColumns(texts)
    case (9, _, 0): self = .duplicateColumns(texts)
    case (10, 0, 1): self = .unknownColumns(count: numbers[0])
    case (11, 0, 1): self = .otherColumns(line: numbers[0])
    default: coder.fail()
    }
  }
}
