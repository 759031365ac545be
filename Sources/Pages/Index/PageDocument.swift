import Charts
import Crypto
import Rendering

/// The frame of every HTML page: its head with the content policy, its style sheet, and its script.
///
/// The policy forbids all loading. The style sheet and the script are on the page itself and are allowed by their hashes.
enum PageDocument {
  private static let (style, script) = (PageAssets.styleSheet, PageAssets.script)

  /// The policy allows the style sheet and the script, and nothing that is loaded.
  private static let policy = [
    "default-src 'none'", "style-src 'sha256-\(hash(style))'",
    "script-src 'sha256-\(hash(script))'", "img-src data:", "base-uri 'none'",
    "form-action 'none'",
  ].joined(separator: "; ")

  /// Returns a page as UTF-8; the title is escaped here.
  static func bytes(title: String, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
    var page = HTMLWriter()
    page.markup("<!DOCTYPE html>\n".utf8)
    page.element(.html, [.lang: "en"]) { page in
      page.element(.head) { appendHead(title, to: &$0) }
      page.element(.body) { page in
        body(&page)
        page.element(.script) { $0.markup(script) }
      }
    }
    return page.bytes
  }

  private static func appendHead(_ title: String, to page: inout HTMLWriter) {
    page.open(.meta, [.charset: "utf-8"])
    page.open(.meta, [.httpEquiv: "Content-Security-Policy", .content: policy])
    page.open(.meta, [.name: "viewport", .content: "width=device-width, initial-scale=1"])
    page.element(.title, text: title)
    // Without an icon a browser would ask the server for one.
    page.open(.link, [.rel: "icon", .href: "data:,"])
    page.element(.style) { $0.markup(style) }
  }

  private static func hash(_ bytes: [UInt8]) -> String { base64(Array(SHA256.hash(data: bytes))) }

  /// Returns bytes in Base64 with padding: RFC 4648.
  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let joined = group.reduce(0) { $0 << 8 | Int($1) }
      let bits = joined << (8 * (3 - group.count))
      for place in 0..<4 {
        let letter = letters[(bits >> (18 - 6 * place)) & 63]
        text.append(place <= group.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
