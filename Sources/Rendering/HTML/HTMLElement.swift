/// The elements of pages.
///
/// A name is never made from data.
package enum HTMLElement: String, Sendable {
  case html, head, meta, link, title, style, script
  case body, header, nav, main, section, footer
  case h1, h2, h3, h4
  case p, ul, li, dl, dt, dd, div, figure, figcaption, details, summary
  case table, caption, thead, tbody, tr, th, td
  case a, b, i, small, strong, em, code, span, wbr

  /// Whether a line ends after the element, so that two versions of a page can be compared line by line.
  var endsLine: Bool {
    switch self {
    case .th, .td, .a, .b, .i, .small, .strong, .em, .code, .span, .wbr: false
    default: true
    }
  }
}

/// The attributes of elements.
///
/// A name is never made from data.
package enum HTMLAttribute: String, Sendable {
  case id, `class`, lang, title, href, rel, name, content, charset, type, role, scope, tabindex
  case httpEquiv = "http-equiv"
  case ariaLabel = "aria-label"
  case ariaLabelledBy = "aria-labelledby"
  case ariaCurrent = "aria-current"
  /// What the script may do with the element: `sort`, `copy` or the id of a block of data.
  case use = "data-use"
}
