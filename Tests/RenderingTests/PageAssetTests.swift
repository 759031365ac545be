import Rendering
import Testing

@Suite("Style sheet and script of pages")
struct PageAssetTests {
  @Test(arguments: [PageAssets.styleSheet, PageAssets.script])
  func `have no line that a browser does not need`(bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count > 60 && lines.last == "")
    for line in lines.dropLast() {
      #expect(!line.isEmpty && !line.hasPrefix(" ") && !line.hasPrefix("//"), "\(line)")
      #expect(!line.hasPrefix("/*") || !line.hasSuffix("*/"), "\(line)")
    }
  }

  @Test
  func `have every rule and statement`() {
    let style = String(decoding: PageAssets.styleSheet, as: UTF8.self)
    #expect(style.hasPrefix(":root {\ncolor-scheme: light dark;\n"))
    #expect(style.contains("@media print {\n@page { margin: 14mm 13mm; }\n"))
    let script = String(decoding: PageAssets.script, as: UTF8.self)
    #expect(script.hasPrefix("\"use strict\";\n(() => {\n") && script.hasSuffix("})();\n"))
  }

  @Test
  func `of a figure that is a file have the light colours in place of variables, and no condition`()
  {
    let style = PageAssets.fileStyleSheet
    #expect(!style.contains("var(") && !style.contains("@") && !style.contains("\n"))
    #expect(!style.contains(".plot") && !style.contains(":root"))
    #expect(
      style.contains(".f-in { fill: #00746a; }") && style.contains(".ground { fill: #ffffff; }"))
    #expect(style.contains(".f-o3 { fill: #eab08a; stroke: #b3400d; stroke-width: 1; }"))
    #expect(style.contains(".ph { display: none; }") && !style.contains(".ph { display: inline; }"))
    #expect(style.split(separator: "{").count == style.split(separator: "}").count + 1)
  }
}
