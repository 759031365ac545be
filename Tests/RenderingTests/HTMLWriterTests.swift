import Rendering
import Storage
import Tables
import Testing

/// Names that could end what they stand in, or move the words around them.
private let hostileNames: [(name: String, shown: String)] = [
  ("<script>alert(1)</script>", "<script>alert(1)</script>"),
  ("</title></style><b>", "</title></style><b>"), ("<!-- & -->", "<!-- & -->"),
  ("\"double\" and 'single'", "\"double\" and 'single'"),
  // A quote with a combining mark is one Character, and still ends an attribute.
  ("\"\u{301} onload='\u{301}x", "\"\u{301} onload='\u{301}x"),
  ("&amp; &#60;", "&amp; &#60;"), ("]]>", "]]>"), ("日本 👩‍👩‍👧 é", "日本 👩‍👩‍👧 é"),
  (String(repeating: "name", count: 50), String(repeating: "name", count: 50)),
  ("\u{202E}evil\u{2066}", #"\u{202E}evil\u{2066}"#),
  ("a\u{0}\u{1B}[1m\u{85}", #"a\u{0}\u{1B}[1m\u{85}"#),
  ("two\nlines\ttab\r", #"two\nlines\ttab\r"#), ("", ""),
]

/// Returns the text that a browser shows for escaped text.
private func unescaped(_ html: some StringProtocol) -> String {
  let references = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
  return references.reduce(String(html)) { text, pair in
    // Unicode scalars, so that a reference before a combining mark is found too.
    var scalars = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      if rest.starts(with: pair.0.unicodeScalars) {
        scalars.append(contentsOf: pair.1.unicodeScalars)
        rest = rest.dropFirst(pair.0.unicodeScalars.count)
      } else {
        scalars.append(rest.removeFirst())
      }
    }
    return String(scalars)
  }
}

private func html(_ write: (inout HTMLWriter) -> Void) -> String {
  var page = HTMLWriter()
  write(&page)
  return String(decoding: page.bytes, as: UTF8.self)
}

private func bytes(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }

@Suite("HTML")
struct HTMLWriterTests {
  @Test
  func `breaks a name after each of its dots`() {
    #expect(html { $0.name("com.example.<b>") } == "com.<wbr>example.<wbr>&lt;b&gt;")
    #expect(html { $0.name("Plus Monthly") } == "Plus Monthly")
  }

  @Test(arguments: hostileNames)
  func `shows every name as text, between tags and in an attribute`(name: String, shown: String) {
    let text = bytes(html { $0.element(.code, text: name) })
    let inner = String(decoding: text.dropFirst(6).dropLast(7), as: UTF8.self)
    #expect(text.starts(with: bytes("<code>")) && bytes(unescaped(inner)) == bytes(shown))
    #expect(!bytes(inner).contains { [UInt8(ascii: "<"), UInt8(ascii: ">")].contains($0) })

    let attribute = bytes(html { $0.open(.a, [.title: name]) })
    let value = String(decoding: attribute.dropFirst(10).dropLast(2), as: UTF8.self)
    #expect(attribute.starts(with: bytes("<a title=\"")) && bytes(unescaped(value)) == bytes(shown))
    let marks = [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'")]
    #expect(!bytes(value).contains(where: marks.contains))
  }

  @Test
  func `writes elements inside each other, and leaves out attributes without a value`() {
    let page = html { page in
      page.element(.section, [.id: "a", .class: nil]) { page in
        page.element(.p, [.class: "note"]) { page in
          page.text("1 < 2, ")
          page.element(.code, text: "x")
        }
        page.open(.meta, [.charset: "utf-8"])
      }
    }
    #expect(
      page
        == "<section id=\"a\"><p class=\"note\">1 &lt; 2, <code>x</code></p>\n<meta charset=\"utf-8\"></section>\n"
    )
  }

  static let sentences: [(String, String, String)] = [
    ("plain", "plain", "plain"),
    (
      "**Missing:** 1 day of `sales`", "<strong>Missing:</strong> 1 day of <code>sales</code>",
      "Missing: 1 day of sales"
    ),
    ("see `churn.csv`", "see <a href=\"churn.csv\"><code>churn.csv</code></a>", "see churn.csv"),
    ("*Money* is", "<em>Money</em> is", "Money is"),
    ("2 * 3 ` 4", "2 * 3 ` 4", "2 * 3 ` 4"),
    (#"a\*\*b\<c\>\`d\`"#, "a**b&lt;c&gt;`d`", "a**b<c>`d`"),
    ("a&#10;b & c", #"a\nb &amp; c"#, "a\nb & c"),
    ("`<b>`", "<code>&lt;b&gt;</code>", "<b>"),
    ("**open", "**open", "**open"),
  ]

  @Test(arguments: sentences)
  func `reads sentences in Markdown`(markdown: String, expected: String, plain: String) {
    let found = html { InlineMarkdown.append(markdown, linking: ["churn.csv"], to: &$0) }
    #expect(found == expected)
    #expect(InlineMarkdown.plain(markdown) == plain)
  }

  @Test(arguments: hostileNames)
  func `reads back every name that Markdown escapes`(name: String, shown: String) {
    let sentence = "**\(MarkdownText.escaped(name))** of all"
    let found = html { InlineMarkdown.append(sentence, to: &$0) }
    guard !name.isEmpty else { return }
    let inner = found.dropFirst("<strong>".count).prefix(while: { $0 != "<" })
    #expect(found.hasPrefix("<strong>") && bytes(unescaped(inner)) == bytes(shown), "\(found)")
  }
}

@Suite("Tables as HTML")
struct HTMLTableTests {
  private static let table = ReportTable(
    name: "churn", dimensions: [],
    columns: [
      .init("month", .key), .init("churn_rate", .rate), .init("net", .money),
      .init("currency", .key), .init("state", .text),
    ],
    rows: [
      [
        .text("2026-08"), .rate(31, of: 40), .money(milliunits: 1_234_500), .text("JPY"),
        .text("a<b"),
      ],
      [.text(""), .missing, .missing, .text("USD"), .missing],
    ])

  @Test
  func `have a caption, headers with their scope, and numbers for people`() {
    let found = html { HTMLTable(Self.table, caption: "Rows & more").append(to: &$0) }
    #expect(
      found == """
        <div class="scroll" tabindex="0" role="region" aria-label="Rows &amp; more"><table class="data" data-use="sort">\
        <caption>Rows &amp; more</caption>
        <thead><tr><th scope="col">month</th><th scope="col" class="n">churn rate</th>\
        <th scope="col" class="n">net</th><th scope="col">currency</th><th scope="col">state</th></tr>
        </thead>
        <tbody><tr><th scope="row">2026-08</th><td>77.50%</td><td>1,234.50</td>\
        <td class="k">JPY</td><td class="w">a&lt;b</td></tr>
        <tr><td></td><td></td><td></td><td class="k">USD</td><td></td></tr>
        </tbody>
        </table>
        </div>

        """)
  }
}
