public import Storage

extension ValueCoder {
  /// Codes a day.
  ///
  /// - Parameter value: The day.
  @inlinable
  package mutating func day(_ value: inout Day) {
    var number = value.number
    integer(&number, in: Day.possibleNumbers)
    value = Day(number: number)
  }

  /// Codes a day that may also be the one before or after all others.
  ///
  /// - Parameter value: The day.
  package mutating func anyDay(_ value: inout Day) {
    var number = value.number
    integer(&number)
    value = Day(number: number)
    guard isReading, value != .first, value != .last else { return }
    if !Day.possibleNumbers.contains(number) { fail() }
  }

  /// Codes a month.
  ///
  /// - Parameter value: The month.
  @inlinable
  package mutating func month(_ value: inout Month) {
    var number = value.number
    integer(&number, in: Month.possibleNumbers)
    value = Month(number: number)
  }
}

extension Day {
  /// The numbers of days that are written: those of the years 0 to 9999, and of the ends of periods up to 2,730 years later.
  @usableFromInline
  package static let possibleNumbers = -(1 << 20)...Int32(1 << 22)
}

extension Month {
  /// The numbers of months that are written, for the same years.
  @usableFromInline
  package static let possibleNumbers = 0...Int32(160_000)
}

extension Term {
  /// Codes the term.
  ///
  /// - Parameter coder: Writes it, or reads it.
  @inlinable
  package mutating func code(with coder: inout some ValueCoder) {
    var (days, months) = (days, months)
    coder.integer(&days, in: 0...Int16.max)
    coder.integer(&months, in: 0...Int16.max)
    self = months == 0 ? Term(days: days) : Term(months: months)
  }
}
