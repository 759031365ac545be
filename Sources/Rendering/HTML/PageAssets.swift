/// The style sheet and the script of pages: files in `Assets`, embedded when the program is built.
package enum PageAssets {
  /// The style sheet, as UTF-8.
  package static var styleSheet: [UInt8] { PackageResources.page_css }
  /// The script, as UTF-8; a page without it shows everything.
  package static var script: [UInt8] { PackageResources.page_js }
}
