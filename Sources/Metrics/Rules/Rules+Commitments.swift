extension Rules {
  static let commitments: [Block] = [
    .points([
      """
      **Due** are the instalments 2 to 12 of terms of known position, dated by the end of the instalment \
      before, at or before as-of; not one after an instalment that was refunded while it was current, or in \
      whose place another product, plan or price was charged within 2 days. `paid` came at most 2 days late, \
      `recovered` at most 90 days. `pending`: nothing was charged since, less than 90 days ago. `defaulted`: \
      the rest, also when something else was bought within 90 days.
      """,
      """
      **Stocks** (`running`, `suspended`, `position_unknown`, `remaining`) are counted at the end of the month's \
      last day, for as-of's own month at as-of. Their dimensions are those of the newest instalment charged by \
      then; `terms_started` has those of the first instalment, `terms_ended` those of the last.
      """,
      """
      **Identities.** `due = paid + recovered + defaulted + pending`. Running terms of known position are those \
      of the month before plus `terms_started` minus `terms_ended`, plus those first seen after their first \
      instalment; of `receipts` less those of chains that are not seen any more.
      """,
      """
      **Money.** One instalment of a term to come costs what the last one cost; of a term that began with an offer the \
      last standard one. The currency is that of \
      the proceeds. `remaining_price` is empty where a term of the row is paid in another currency, \
      `remaining_proceeds` for `receipts`.
      """,
      """
      **`partial`** is also a row with `position_unknown`.
      """,
    ])
  ]
}
