import CCurl
import Files
import SubscriptionModel

/// Sends requests with the system's libcurl.
///
/// Proxies come from the environment, as curl reads it. Redirects are never followed: the token would go with them.
@safe
package final class CurlTransport: Transport {
  private let curl: OpaquePointer
  private let certificates: String?
  private let allowsPlain: Bool
  /// The open files of bodies.
  private var files: [Int: Int32] = [:]
  private var urls: [Int: String] = [:]
  /// Requests that could not start.
  private var failed: [(Int, FetchAnswer)] = []

  private static let connections: Int32 = 8
  private static let mostBytes: Int64 = 2 << 30

  /// Whether the system has libcurl.
  private static let isThere = subreport_curl_load() == 0

  /// Opens libcurl, if there is one.
  ///
  /// The certificates are those of a file; `nil` for that of `SSL_CERT_FILE`, or the system's. http is possible for
  /// tests only.
  package init(certificates: String?, allowsPlain: Bool = false) throws(FetchError) {
    guard Self.isThere, let made = unsafe subreport_curl_new(Self.connections) else {
      throw FetchError(
        "libcurl.so.4 is not here: apt-get install libcurl4 (Debian, Ubuntu)", .unusableInput)
    }
    unsafe curl = made
    self.allowsPlain = allowsPlain
    self.certificates = certificates ?? SystemProcess.environment("SSL_CERT_FILE")
  }

  deinit { unsafe subreport_curl_free(curl) }

  package var now: Int64 { FileStatus.now / 1_000_000 }

  package func start(_ request: FetchRequest, id: Int) {
    let file: Int32
    do throws(OutputError) {
      file = try OutputFileSystem.openNew(request.file)
    } catch {
      var answer = FetchAnswer()
      answer.failure = .disk(error.number ?? 5)
      return failed.append((id, answer))
    }
    files[id] = file
    urls[id] = request.url
    let code = start(request, Int32(id), file)
    guard code != 0 else { return }
    OutputFileSystem.close(file)
    files[id] = nil
    var answer = FetchAnswer()
    answer.failure = .network("libcurl cannot start a request (error \(code))")
    failed.append((id, answer))
  }

  /// Starts a request; libcurl copies all texts during the call.
  private func start(_ request: FetchRequest, _ id: Int32, _ file: Int32) -> Int32 {
    let lines = request.headers.map { Array($0.utf8CString) }
    return unsafe withPointers(lines) { headers in
      unsafe request.url.withCString { url in
        unsafe withOptional(request.body) { body in
          unsafe withOptional(certificates) { certificates in
            var started = unsafe subreport_curl_request(
              url: url, body: body, headers: headers, file: file, ca_file: certificates,
              is_http1: request.isHTTP1 ? 1 : 0, allows_plain: allowsPlain ? 1 : 0,
              most_bytes: Self.mostBytes)
            return unsafe subreport_curl_start(curl, id, &started)
          }
        }
      }
    }
  }

  private func withPointers<Result>(
    _ lines: [[CChar]], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    // Safe: the arrays live to the end of the call, and are not changed in it.
    let all = lines.flatMap(\.self)
    return unsafe all.withUnsafeBufferPointer { buffer in
      var pointers: [UnsafePointer<CChar>?] = unsafe []
      var start = 0
      for line in lines {
        unsafe pointers.append(buffer.baseAddress.map { unsafe $0 + start })
        start += line.count
      }
      unsafe pointers.append(nil)
      return unsafe pointers.withUnsafeBufferPointer { list in
        guard let first = list.baseAddress else { preconditionFailure("the list has its end") }
        return unsafe body(first)
      }
    }
  }

  private func withOptional<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
  }

  package func next(until end: Int64?) -> (id: Int, answer: FetchAnswer)? {
    while true {
      if !failed.isEmpty { return failed.removeFirst() }
      let rest = end.map { $0 - now } ?? 60_000
      if rest <= 0, end != nil { return nil }
      var found = unsafe subreport_curl_answer()
      guard unsafe subreport_curl_next(curl, Int32(clamping: min(rest, 60_000)), &found) == 1
      else { continue }
      let id = unsafe Int(found.id)
      let answer = unsafe answer(found, urls.removeValue(forKey: id) ?? "")
      if let file = files.removeValue(forKey: id) { OutputFileSystem.close(file) }
      return (id, answer)
    }
  }

  private func answer(_ found: subreport_curl_answer, _ url: String) -> FetchAnswer {
    var answer = FetchAnswer()
    answer.status = unsafe Int(found.status)
    answer.byteCount = unsafe Int(found.received)
    // Safe: the headers are valid until the next call, and copied here.
    let bytes = unsafe UnsafeBufferPointer(start: found.headers, count: found.header_count)
    answer.headers = Self.headers(unsafe bytes.map { UInt8(bitPattern: $0) })
    let code = unsafe found.code
    if unsafe found.tunnel_status == 407 || found.status == 407 {
      (answer.status, answer.failure) = (0, .proxy)
      return answer
    }
    guard code != 0 else { return answer }
    answer.status = 0
    let message = unsafe withUnsafeBytes(of: found.message) { bytes in
      String(decoding: unsafe Array(bytes.prefix { $0 != 0 }), as: UTF8.self)
    }
    answer.failure = unsafe failure(code, message, found, url)
    return answer
  }

  /// Returns the words for an error of libcurl: include/curl/curl.h.
  private func failure(
    _ code: Int32, _ message: String, _ found: subreport_curl_answer, _ url: String
  ) -> FetchAnswer.Failure {
    let received = unsafe Int(found.received)
    let (announced, writeError) = unsafe (Int(found.announced), found.write_error)
    switch code {
    case 5: return .network("proxy: name not known (DNS)")
    case 6: return .network("name not known (DNS)")
    case 7: return .network("no connection (\(message)\(Self.proxyWords(url)))")
    case 16, 92: return .httpVersion
    case 18 where announced >= 0: return .cut(received: received, of: announced)
    case 23 where writeError != 0: return .disk(writeError)
    case 23 where received > 0, 63: return .network("the body has more than 2 GiB")
    case 28: return .network("no answer in time (\(message)\(Self.proxyWords(url)))")
    case 52: return .network("the connection ended without an answer")
    case 60: return .certificate(issuer(url).map { "issuer \"\($0)\"" } ?? message)
    case 77: return .network("the file of trusted certificates cannot be read")
    default: return .network(message)
    }
  }

  /// Names the variable with a proxy that the request may have gone to; libcurl's message has only an address.
  ///
  /// Such as `; https_proxy is set`; nothing where the environment names no proxy.
  private static func proxyWords(_ url: String) -> String {
    // libcurl reads HTTP_PROXY only in small letters: a web server sets it from a client's header.
    let own = url.hasPrefix("https:") ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    let name = (own + ["all_proxy", "ALL_PROXY"]).first {
      SystemProcess.environment($0)?.isEmpty == false
    }
    return name.map { "; \($0) is set: is its proxy there?" } ?? ""
  }

  /// Returns who issued the certificate of a server: the name in it, such as `Corp Proxy`.
  private func issuer(_ url: String) -> String? {
    var text = [CChar](repeating: 0, count: 512)
    guard unsafe subreport_curl_issuer(url, &text, text.count) == 0 else { return nil }
    let line = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let range = line.firstRange(of: "CN = ") ?? line.firstRange(of: "CN=") else {
      return line
    }
    return String(line[range.upperBound...].prefix { $0 != "," && $0 != ";" })
  }

  /// Returns the headers of an answer, their names in lower case.
  package static func headers(_ text: [UInt8]) -> [(name: String, value: String)] {
    text.split { $0 == 0x0A || $0 == 0x0D }.compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = line[(colon + 1)...].drop(while: isBlank).reversed().drop(while: isBlank)
      return (name, String(decoding: value.reversed(), as: UTF8.self))
    }
  }
}
