import Pipeline
import Receipts
import SubscriptionModel

extension DumpExtract {
  /// Encodes or decodes all fields.
  ///
  /// - Parameters:
  ///   - file: The dump's place in the order of all files of the run.
  ///   - coder: Writes the extract, or reads it into this empty one.
  mutating func code<Coder: ExtractCoder>(file: UInt32, with coder: inout Coder) {
    var word = kind?.rawValue ?? ""
    coder.text(&word)
    kind = ReceiptKind(rawValue: word)
    if kind == nil, !word.isEmpty { coder.fail() }
    rows.code(with: &coder)
    coder.list(&rejects, blank: .blank) { $0.code(with: &$1) }
    let place = NotificationPlace(uuid: 0, row: DumpRow(file: file, row: 0), rowCount: 0)
    coder.list(&notifications, blank: place) { $0.code(with: &$1) }
    coder.list(&lines, blank: (0, 0)) { place, coder in
      coder.integer(&place.row)
      coder.integer(&place.line)
    }
    coder.instant(&newest)
    coder.integer(&unusable)
    coder.integer(&withoutEnvironment)
  }
}

extension NotificationPlace {
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var (high, low) = (UInt64(uuid >> 64), UInt64(truncatingIfNeeded: uuid))
    coder.number(&high)
    coder.number(&low)
    uuid = UInt128(high) << 64 | UInt128(low)
    coder.integer(&row.row)
    coder.integer(&rowCount)
  }
}

extension ExtractCoder {
  /// Encodes or decodes an optional instant; `nil` is 0.
  mutating func instant(_ value: inout Instant?) {
    var seconds = UInt64(value?.seconds ?? 0)
    number(&seconds)
    guard seconds <= UInt32.max else { return fail() }
    value = seconds == 0 ? nil : Instant(seconds: UInt32(seconds))
  }
}
