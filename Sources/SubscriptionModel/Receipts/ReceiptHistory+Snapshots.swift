import Storage

/// Gives the rows of snapshots their meaning: METRICS.md 3.7 and 3.10.
extension ReceiptHistory {
  /// A row of a snapshot, by its place.
  private struct Row: Hashable {
    var file: UInt32
    var row: UInt32
  }

  /// What a row describes: a row of a later delivery with the same replaces its flags.
  private struct Subject: Hashable {
    var feed: UInt64?
    var transactionID: ReceiptID
    var purchase: Instant
  }

  /// Separates the infos of snapshots from those of original ids, and drops the flags of rows that were delivered again.
  ///
  /// A refund that a newer row lacks stays as it was, in full or in part: METRICS.md 3.8.
  mutating func takeRowsOfSnapshots() {
    infos.ofRows.removeAll(keepingCapacity: true)
    infos.ofPeriods.removeAll(keepingCapacity: true)
    guard copies.contains(where: { $0.flags.contains(.ofSnapshot) }) else { return }
    infos.ofRows = infos.all.filter(\.isOfPeriod)
    infos.all.removeAll(where: \.isOfPeriod)
    var newest: [Subject: UInt16] = [:]
    for copy in copies where copy.flags.contains(.ofSnapshot) {
      let subject = subject(of: copy)
      newest[subject] = max(newest[subject] ?? 0, copy.delivery)
    }
    var refundedAgain: Set<Subject> = []
    for copy in copies
    where copy.flags.contains(.ofSnapshot) && copy.cancellation != nil
      && copy.delivery == newest[subject(of: copy)]
    {
      refundedAgain.insert(subject(of: copy))
    }
    var withdrawn: Set<Subject> = []
    // A part of an unknown price was refunded: the price of an older row would be refunded in full.
    var withoutPrice: Set<Subject> = []
    for copy in copies
    where copy.flags.isSuperset(of: [.ofSnapshot, .prorated]) && copy.price == nil
      && copy.delivery == newest[subject(of: copy)]
    {
      withoutPrice.insert(subject(of: copy))
    }
    var replaced: Set<Row> = []
    for index in copies.indices where copies[index].flags.contains(.ofSnapshot) {
      guard copies[index].transactionID.isUsable,
        let last = newest[subject(of: copies[index])], copies[index].delivery < last
      else { continue }
      var kept: TransactionCopy.Flags = [.ofSnapshot, .nonProduction, .hasAppTransaction]
      if refundedAgain.contains(subject(of: copies[index])) {
        copies[index].refundedPrice = nil
      } else if copies[index].cancellation != nil {
        kept.insert(.prorated)
        withdrawn.insert(subject(of: copies[index]))
      }
      copies[index].flags.formIntersection(kept)
      if withoutPrice.contains(subject(of: copies[index])) {
        (copies[index].price, copies[index].currency) = (nil, .blank)
      }
      replaced.insert(Row(file: copies[index].file, row: copies[index].row))
    }
    summary.withdrawnRefunds += withdrawn.count
    infos.ofRows.removeAll { replaced.contains(Row(file: $0.file, row: $0.row)) }
  }

  private func subject(of copy: TransactionCopy) -> Subject {
    Subject(
      feed: customers.statements.snapshots.deliveries[copy.file]?.feed,
      transactionID: copy.transactionID, purchase: copy.purchase)
  }

  /// Gives the infos of snapshots to the periods of their rows.
  ///
  /// The row of an info that the store has dropped was delivered again, so the info belongs to no period.
  mutating func assignRowsOfSnapshots() {
    guard !infos.ofRows.isEmpty else { return }
    let infoOfRow = Dictionary(
      infos.ofRows.map { (Row(file: $0.file, row: $0.row), $0) }
    ) { $1 }
    for (index, copies) in copiesOfPeriods().enumerated() {
      let own = copies.compactMap { copy in
        copy.flags.contains(.ofSnapshot)
          ? infoOfRow[Row(file: copy.file, row: copy.row)] : nil
      }
      guard !own.isEmpty else { continue }
      let expires = periods[index].event.expires
      periods[index].ownInfos = Int32(infos.ofPeriods.count)
      infos.ofPeriods.append(own.map { $0.ended(expires) })
    }
  }

  /// Returns the infos of one period only, the newest last.
  func infosOfPeriod(_ index: Int) -> [RenewalCopy] {
    periods[index].ownInfos.map { infos.ofPeriods[Int($0)] } ?? []
  }
}

extension RenewalCopy {
  /// Returns the info with the reason why its period ended, if it had ended when the info was made.
  fileprivate func ended(_ expires: Instant?) -> RenewalCopy {
    guard let expires, expires <= madeAt else { return self }
    var info = self
    info.expirationIntent = isInBillingRetry == true ? 2 : autoRenews == false ? 1 : 0
    return info
  }
}
