import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

extension IndexPage {
  /// The churn rate, the reasons where they are known, and the renewals, all over time.
  var churnSection: PageSection? {
    let churn = content.table(of: .churn, months: detail.months)
    let renewals = content.table(of: .renewals, months: detail.months)
    guard churn != nil || renewals != nil else { return nil }
    return PageSection("churn", "Churn and renewals") { page in
      if let churn {
        page.paragraph(markdown: content.monthWithoutRows(.churn, churn.source))
        var figure = Figures.churnRate(churn.table, explained(.churn, churn.source))
        figure.choice = choice(.churnRate)
        append(figure, to: &page)
        appendReasons(to: &page, after: churn.source)
      } else {
        let source = content.headlines?.headlineSource
        let why = source.map { content.monthWithoutRows(.churn, $0) } ?? ""
        page.paragraph(
          markdown: why.isEmpty ? "No source of the input says how many churned." : why)
      }
      if let renewals {
        var figure = Figures.renewals(renewals.table, explained(.renewals, renewals.source))
        figure.choice = choice(.renewalRate)
        append(figure, to: &page)
      }
    }
  }

  /// Returns the frame of a table's figures, with the command that explains the main number.
  private func explained(_ kind: TableKind, _ source: Source) -> FigureFrame {
    var frame = frame(kind, source)
    frame.explanation = content.explainCommand(kind, source, appID: appID)
    return frame
  }

  private func appendReasons(to page: inout HTMLWriter, after above: Source) {
    let found = content.table(of: .churn, months: detail.months, having: "churned_voluntary")
    var frame = found.map { self.frame(.churn, $0.source) }
    // The figure above has the same command.
    if found?.source == above { frame?.command = nil }
    guard let (_, rows) = found, let frame, let figure = Figures.churnReasons(rows, frame) else {
      page.element(
        .p, [.class: "note"],
        text:
          "Why subscriptions churned is not known: Subscription Event reports and receipts have reasons."
      )
      return
    }
    append(figure, to: &page)
  }

  /// The trials by the month of their start.
  var trialsSection: PageSection? {
    guard let (source, rows) = content.table(of: .trials, months: detail.months) else { return nil }
    return PageSection("trials", "Trials") { page in
      append(Figures.trials(rows, explained(.trials, source)), to: &page)
    }
  }
}
