import SubscriptionModel

/// Returns a number and its noun, such as `1 row` or `0 rows`.
public func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension RunResult {
  /// What `check` prints: what is not as it should be, and what to do about it.
  ///
  /// Nothing when all is well. Bad files and rows have lines of their own on standard error.
  ///
  /// - Parameter checks: The identities that were tested.
  /// - Returns: One line a finding.
  public func advice(_ checks: Checks) -> [String] {
    missingDayAdvice() + emptyDayAdvice() + restatementAdvice() + duplicateAdvice() + unusedAdvice()
      + unknownEventAdvice()
      + checks.all.filter { !$0.holds && !$0.isOfInput }.map {
        "check failed: \($0.name): \($0.scope): found \($0.found), expected \($0.expected); please report this as a bug"
      }
  }

  private func missingDayAdvice() -> [String] {
    days.entries.filter { $0.state == .missing }.map {
      "missing: \($0.kind) \($0.day): download it again; Apple keeps daily reports for 365 days"
    }
  }

  private func emptyDayAdvice() -> [String] {
    days.entries.filter { $0.state == .empty }.map {
      "empty: \($0.kind) \($0.day): \($0.file) has a header and no rows; download it again if there were sales on that day"
    }
  }

  private func restatementAdvice() -> [String] {
    restatements.map {
      "restated: \($0.new) replaces \($0.old): \(counted($0.oldRows, "row")) became \($0.newRows); remove the old file when the new one is right"
    }
  }

  private func duplicateAdvice() -> [String] {
    files.filter(\.isDuplicate).map {
      "duplicate: \($0.file.relativePath): \($0.remarks.joined(separator: "; ")); remove one of them"
    }
  }

  private func unusedAdvice() -> [String] {
    files.filter { $0.rows.ignored["no date"] != nil }.map {
      "no date: \($0.file.relativePath): a SUBSCRIPTION report says its day only in its name; give it Apple's name back, such as Subscription_80012345_20260115.txt.gz"
    }
  }

  private func unknownEventAdvice() -> [String] {
    files.flatMap { file in
      file.remarks.filter { $0.hasPrefix("unknown event") }.map {
        "unknown word: \(file.file.relativePath): \($0); it is in no number: a newer subreport may know it"
      }
    }
  }
}
