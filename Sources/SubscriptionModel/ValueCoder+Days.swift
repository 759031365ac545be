public import Storage

extension ValueCoder {
  /// Codes a day.
  ///
  /// - Parameter value: The day.
  @inlinable
  package mutating func day(_ value: inout Day) {
    var number = value.number
    integer(&number)
    value = Day(number: number)
  }

  /// Codes a month.
  ///
  /// - Parameter value: The month.
  @inlinable
  package mutating func month(_ value: inout Month) {
    var number = value.number
    integer(&number)
    value = Month(number: number)
  }
}

extension Term {
  /// Codes the term.
  ///
  /// - Parameter coder: Writes it, or reads it.
  @inlinable
  package mutating func code(with coder: inout some ValueCoder) {
    var (days, months) = (days, months)
    coder.integer(&days)
    coder.integer(&months)
    self = months == 0 ? Term(days: days) : Term(months: months)
  }
}
