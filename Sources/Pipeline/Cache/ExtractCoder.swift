import AppStoreReports
import SubscriptionModel

/// Writes an extract, or reads one: each type says once what is kept of it and in which order, so the two
/// cannot differ.
///
/// Numbers of the run (symbols, terms) become numbers of the file. What a number stands for follows where
/// it is met first.
protocol ExtractCoder {
  /// Whether all that was read so far was there and made sense; what is read afterwards is worthless.
  var isValid: Bool { get }

  /// Ends reading: what was found cannot be.
  mutating func fail()

  /// A number; small ones take one byte.
  mutating func number(_ value: inout UInt64)

  /// A text, where it stands.
  mutating func text(_ value: inout String)

  /// The symbol of a text.
  mutating func symbol(_ value: inout Symbol)

  /// The key of a subscriber, in eight bytes.
  mutating func subscriber(_ key: inout UInt64)

  /// The number of a row's terms.
  mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type)
}

/// Terms that an extract's rows refer to by number.
protocol ExtractTerms {
  /// What reading begins with.
  static var blank: Self { get }

  /// Codes all that terms say.
  mutating func code(with coder: inout some ExtractCoder)

  /// Returns the terms that a number of the run stands for.
  static func numbered(_ number: UInt32, in registries: Registries) -> Self

  /// Returns the number that the terms have in the run.
  func number(in registries: Registries) -> UInt32
}

extension ExtractCoder {
  /// A whole number of any sign: those near 0 are short.
  mutating func integer<Number: FixedWidthInteger>(_ value: inout Number) {
    let wide = Int64(truncatingIfNeeded: value)
    var folded = UInt64(bitPattern: wide << 1 ^ wide >> 63)
    number(&folded)
    guard let number = Number(exactly: Int64(bitPattern: folded >> 1) ^ -Int64(folded & 1)) else {
      return fail()
    }
    value = number
  }

  mutating func flag(_ value: inout Bool) {
    var number: UInt8 = value ? 1 : 0
    integer(&number)
    value = number == 1
  }

  /// One of a type's cases, by its raw value.
  mutating func word<Word: RawRepresentable>(_ value: inout Word)
  where Word.RawValue: FixedWidthInteger {
    var raw = value.rawValue
    integer(&raw)
    guard let word = Word(rawValue: raw) else { return fail() }
    value = word
  }

  mutating func optional<Value>(
    _ value: inout Value?, blank: Value, _ code: (inout Value, inout Self) -> Void
  ) {
    var isThere = value != nil
    flag(&isThere)
    var present = value ?? blank
    if isThere { code(&present, &self) }
    value = isThere ? present : nil
  }

  /// A list; reading begins with an empty one.
  mutating func list<Element>(
    _ elements: inout [Element], blank: Element, _ code: (inout Element, inout Self) -> Void
  ) {
    var count = elements.count
    integer(&count)
    var index = 0
    while index < count, isValid {
      if index == elements.count { elements.append(blank) }
      code(&elements[index], &self)
      index += 1
    }
  }

  mutating func day(_ value: inout Day) {
    var number = value.number
    integer(&number)
    value = Day(number: number)
  }
}
