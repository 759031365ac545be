extension SigningChain {
  /// Signs a payload as Apple does.
  ///
  /// - Parameters:
  ///   - payload: The payload, JSON.
  ///   - algorithm: What the header gives as `alg`.
  ///   - certificates: What the header gives as `x5c`, each in DER; by default signer,
  ///     intermediate, root.
  /// - Returns: The JWS.
  /// - Throws: What Crypto throws.
  package func jws(
    _ payload: String, algorithm: String = "ES256", certificates: [[UInt8]]? = nil
  ) throws -> String {
    let chain = certificates ?? [signer, intermediate, root]
    let list = chain.map { "\"\(ReferenceBase64.encode($0))\"" }.joined(separator: ",")
    return try jws(payload, header: "{\"alg\":\"\(algorithm)\",\"x5c\":[\(list)]}")
  }

  /// Signs a payload under any header.
  ///
  /// - Parameters:
  ///   - payload: The payload, JSON.
  ///   - header: The header, JSON.
  /// - Returns: The JWS.
  /// - Throws: What Crypto throws.
  package func jws(_ payload: String, header: String) throws -> String {
    let segments = [header, payload].map { ReferenceBase64.encode(Array($0.utf8), urlSafe: true) }
    let signed = segments.joined(separator: ".")
    let signature = try signature(of: Array(signed.utf8))
    return "\(signed).\(ReferenceBase64.encode(signature, urlSafe: true))"
  }
}
