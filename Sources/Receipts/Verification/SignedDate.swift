import FoundationEssentials

/// Returns the time at which a record's certificates must have been valid.
///
/// - Parameter milliseconds: Milliseconds since 1970, or nil if the record states none.
/// - Returns: The time in whole seconds, as certificates have them.
/// - Throws: ``VerificationFailure/noDate``.
func signedDate(_ milliseconds: Int64?) throws(VerificationFailure) -> Date {
  // From 2008, when the App Store opened, to the end of 2099; X509 traps on years past 9999.
  guard let milliseconds, 1_199_145_600_000..<4_102_444_800_000 ~= milliseconds else {
    throw .noDate
  }
  return Date(timeIntervalSince1970: Double(milliseconds / 1000))
}
