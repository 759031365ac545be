import Rendering
import Testing

@Suite("Style sheet and script of pages")
struct PageAssetTests {
  @Test(arguments: [PageAssets.styleSheet, PageAssets.script])
  func `have no line that a browser does not need`(bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count > 80 && lines.last == "")
    for line in lines.dropLast() {
      #expect(!line.isEmpty && !line.hasPrefix(" ") && !line.hasPrefix("//"), "\(line)")
      #expect(!line.hasPrefix("/*") || !line.hasSuffix("*/"), "\(line)")
    }
  }

  @Test
  func `have every rule and statement`() {
    let style = String(decoding: PageAssets.styleSheet, as: UTF8.self)
    #expect(style.hasPrefix(":root {\ncolor-scheme: light dark;\n"))
    #expect(style.contains("@media print {\n@page { margin: 1.5cm; }\n"))
    let script = String(decoding: PageAssets.script, as: UTF8.self)
    #expect(script.hasPrefix("\"use strict\";\n(() => {\n") && script.hasSuffix("})();\n"))
  }
}
