import FoundationEssentials
@_spi(FixedExpiryValidationTime) import X509

/// Decides whose keys to trust, and remembers it: millions of records share a handful of chains.
///
/// What is remembered holds for a span of time in which it cannot change, so that it never matters
/// which record came first.
struct ChainValidator: ~Copyable {
  /// Certificates as a record holds them.
  struct Chain: Sendable {
    var signer: Certificate
    var intermediates: [Certificate]
  }

  /// A decision, and the times for which it holds.
  private struct Entry {
    let key: [UInt8]
    let decision: Result<Certificate.PublicKey, VerificationFailure>
    let times: ClosedRange<Date>
  }

  /// As many as Apple's library remembers.
  private static let mostEntries = 32

  private let roots: [Certificate]
  private let allowsRootAsSigner: Bool
  /// The newest first.
  private var entries: [Entry] = []

  init(roots: RootCertificates, allowsRootAsSigner: Bool) {
    self.roots = roots.certificates
    self.allowsRootAsSigner = allowsRootAsSigner
  }

  /// Returns the key of a signer whom a root vouches for.
  ///
  /// - Parameters:
  ///   - key: The bytes that the chain is made from: equal bytes, equal chain.
  ///   - date: When the record was made.
  ///   - makeChain: Makes the chain; called only if nothing is remembered for the key.
  /// - Returns: The signer's public key.
  /// - Throws: Why nobody vouches for it.
  mutating func signerKey(
    of key: Span<UInt8>, at date: Date,
    _ makeChain: () throws(VerificationFailure) -> Chain
  ) throws(VerificationFailure) -> Certificate.PublicKey {
    let known = entries.firstIndex { $0.times.contains(date) && isEqual(key, $0.key.span) }
    if let known {
      if known > 0 { entries.insert(entries.remove(at: known), at: 0) }
      return try entries[0].decision.get()
    }
    let (decision, times) = decide(at: date, makeChain)
    if let times {
      if entries.count == Self.mostEntries { entries.removeLast() }
      var copy: [UInt8] = []
      append(key, 0..<key.count, to: &copy)
      entries.insert(Entry(key: copy, decision: decision, times: times), at: 0)
    }
    return try decision.get()
  }

  private func decide(
    at date: Date, _ makeChain: () throws(VerificationFailure) -> Chain
  ) -> (Result<Certificate.PublicKey, VerificationFailure>, times: ClosedRange<Date>?) {
    let chain: Chain
    do throws(VerificationFailure) {
      chain = try makeChain()
    } catch {
      return (.failure(error), .distantPast ... .distantFuture)
    }
    switch validate(chain, at: date) {
    case .validCertificate(let validated):
      return (.success(chain.signer.publicKey), Self.validity(of: Array(validated)))
    case .couldNotValidate(let failures):
      let all = [chain.signer] + chain.intermediates + roots
      // Where every certificate is valid, no date can be the reason.
      let times = Self.validity(of: all).flatMap { $0.contains(date) ? $0 : nil }
      return (.failure(Self.reason(failures, chain, at: date)), times)
    }
  }

  private func validate(_ chain: Chain, at date: Date) -> CertificateValidationResult {
    let policy = SigningChainPolicy(allowsRootAsSigner: allowsRootAsSigner)
    return runOnCallingThread { [roots] in
      var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
        // Leaf certificates live two years: at any other time, old records would fail. The library
        // offers a fixed time to those who ask for it by the name above.
        RFC5280Policy(fixedExpiryValidationTime: date)
        policy
      }
      return await verifier.validate(
        leaf: chain.signer, intermediates: CertificateStore(chain.intermediates))
    }
  }

  private static func reason(
    _ failures: [CertificateValidationResult.PolicyFailure], _ chain: Chain, at date: Date
  ) -> VerificationFailure {
    let isPurpose = failures.contains {
      $0.policyFailureReason.description == SigningChainPolicy.wrongPurpose
    }
    if isPurpose { return .wrongPurpose }
    let areValid = ([chain.signer] + chain.intermediates).allSatisfy {
      validity(of: [$0])?.contains(date) ?? false
    }
    return areValid ? .untrustedChain : .certificateNotValid
  }

  /// Returns the times at which all certificates are valid, or nil if there are none.
  private static func validity(of certificates: [Certificate]) -> ClosedRange<Date>? {
    var (first, last) = (Date.distantPast, Date.distantFuture)
    for certificate in certificates {
      first = max(first, certificate.notValidBefore)
      last = min(last, certificate.notValidAfter)
    }
    return first <= last ? first...last : nil
  }
}

private func isEqual(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
  guard first.count == second.count else { return false }
  for index in first.indices where first[index] != second[index] { return false }
  return true
}
