import Counting
import Pages
import Pipeline
import Rendering
import Tables

extension IndexPage {
  /// The churn rate, the reasons where they are known, and the renewals, all over time.
  var churnSection: PageSection? {
    let churn = content.table(of: .churn, months: detail.months)
    let renewals = content.table(of: .renewals, months: detail.months)
    guard churn != nil || renewals != nil else { return nil }
    return PageSection("churn", "Churn and renewals") { page in
      if let churn {
        var figure = Figures.churnRate(churn.table, frame(.churn, churn.source))
        figure.choice = choice(.churnRate)
        append(figure, to: &page)
        appendReasons(to: &page)
      } else {
        page.element(.p, text: "No source of the input says how many churned.")
      }
      if let renewals {
        var figure = Figures.renewals(renewals.table, frame(.renewals, renewals.source))
        figure.choice = choice(.renewalRate)
        append(figure, to: &page)
      }
    }
  }

  private func appendReasons(to page: inout HTMLWriter) {
    let found = content.table(of: .churn, months: detail.months, having: "churned_voluntary")
    guard let (source, rows) = found,
      let figure = Figures.churnReasons(rows, frame(.churn, source))
    else {
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
      append(Figures.trials(rows, frame(.trials, source)), to: &page)
    }
  }
}
