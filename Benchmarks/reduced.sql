-- The reduced set: by month and product paid charges, gross proceeds by currency, periods due and
-- renewed within 2 days, full refunds. It is METRICS.md on a clean world in the plainest SQL that
-- gives the same numbers: one product a row, one unit a charge, each refund at the charge's price.
--
-- For speed the files are read once, only the columns needed are kept, ends of periods are computed
-- on the way in, and months are made text after counting.
WITH report AS MATERIALIZED (
  SELECT
    "Event Date" AS day, "Subscriber ID" AS subscriber, "Subscription Group ID" AS chain_group,
    "Subscription Apple ID" AS product, "Subscription Name" AS name,
    "Customer Price" > 0 AS is_paid, "Developer Proceeds" AS proceeds,
    "Proceeds Currency" AS currency,
    coalesce("Refund" = 'Yes', false) AS is_refund, "Purchase Date" AS purchase_day,
    "Units" <> 0 AS is_full,
    -- A free trial and an offer paid up front run for the offer's duration: rule 2.2.
    ("Event Date" + CASE
      CASE WHEN "Subscription Offer Type" IN ('Free Trial', 'Pay up front')
        THEN "Subscription Offer Duration" ELSE "Standard Subscription Duration" END
      WHEN '3 Days' THEN INTERVAL 3 DAY
      WHEN '7 Days' THEN INTERVAL 7 DAY
      WHEN '2 Weeks' THEN INTERVAL 14 DAY
      WHEN '1 Month' THEN INTERVAL 1 MONTH
      WHEN '3 Months' THEN INTERVAL 3 MONTH
      WHEN '1 Year' THEN INTERVAL 1 YEAR END)::DATE AS own_end
  FROM read_csv(getvariable('files'), delim = '\t', header = true, quote = '', escape = '',
    auto_detect = false, columns = {
      'Event Date': 'DATE', 'App Name': 'VARCHAR', 'App Apple ID': 'BIGINT',
      'Subscription Name': 'VARCHAR', 'Subscription Apple ID': 'BIGINT',
      'Subscription Group ID': 'BIGINT', 'Standard Subscription Duration': 'VARCHAR',
      'Subscription Offer Name': 'VARCHAR', 'Promotional Offer ID': 'VARCHAR',
      'Subscription Offer Type': 'VARCHAR', 'Subscription Offer Duration': 'VARCHAR',
      'Marketing Opt-In Duration': 'VARCHAR', 'Customer Price': 'DECIMAL(18,3)',
      'Customer Currency': 'VARCHAR', 'Developer Proceeds': 'DECIMAL(18,3)',
      'Proceeds Currency': 'VARCHAR', 'Preserved Pricing': 'VARCHAR',
      'Proceeds Reason': 'VARCHAR', 'Client': 'VARCHAR', 'Device': 'VARCHAR',
      'Country': 'VARCHAR', 'Subscriber ID': 'BIGINT', 'Subscriber ID Reset': 'VARCHAR',
      'Refund': 'VARCHAR', 'Purchase Date': 'DATE', 'Units': 'INTEGER'})
),
charge AS NOT MATERIALIZED (
  SELECT * FROM report WHERE NOT is_refund
),
refund AS NOT MATERIALIZED (
  SELECT subscriber, product, purchase_day, day AS refund_day
  FROM report WHERE is_refund AND is_full
),
-- Each charge with the next one of its chain: rules 2.3 and 2.4.
followed AS (
  SELECT subscriber, product, day, own_end, is_paid,
    lead(day) OVER chain AS next_day, lead(product) OVER chain AS next_product
  FROM charge
  WINDOW chain AS (PARTITION BY subscriber, chain_group ORDER BY day, is_paid, own_end)
),
first_refund AS (
  SELECT subscriber, product, purchase_day AS day, min(refund_day) AS refund_day
  FROM refund GROUP BY ALL
),
-- The paid periods that a change of product, a second purchase on the day or a full refund did not
-- end: rules 2.4 and 2.9. Only a renewal on the old billing date is due before the period's own end.
period AS (
  SELECT product, next_day,
    CASE WHEN next_day < own_end - 2 THEN next_day ELSE own_end END AS last_day
  FROM followed LEFT JOIN first_refund USING (subscriber, product, day)
  WHERE is_paid
    AND (next_day IS NULL OR next_day >= own_end - 2
      OR (next_product = product AND next_day > day))
    AND (refund_day IS NULL OR refund_day >= own_end OR refund_day > next_day
      OR (refund_day = next_day AND refund_day = day))
),
money AS MATERIALIZED (
  SELECT date_trunc('month', day) AS month, product, trim(currency) AS currency,
    count(*) AS charges, sum(proceeds) AS proceeds
  FROM charge WHERE is_paid GROUP BY ALL
),
fate AS MATERIALIZED (
  SELECT date_trunc('month', last_day) AS month, product,
    count(*) AS due, count_if(next_day <= last_day + 2) AS renewed
  FROM period WHERE last_day <= (SELECT max(day) FROM report) GROUP BY ALL
),
cell AS (
  SELECT month, product, 'charges' AS cell, sum(charges)::DECIMAL(38,3) AS value
  FROM money GROUP BY ALL
  UNION ALL
  SELECT month, product, 'gross_proceeds ' || currency, sum(proceeds) FROM money GROUP BY ALL
  UNION ALL
  SELECT month, product, 'due', due FROM fate
  UNION ALL
  SELECT month, product, 'renewed', renewed FROM fate
  UNION ALL
  SELECT date_trunc('month', refund_day), product, 'refunds_full', count(*)
  FROM refund GROUP BY ALL
)
SELECT strftime(month, '%Y-%m') AS month, name AS product, cell, value
FROM cell JOIN (SELECT DISTINCT product, name FROM report) USING (product)
ORDER BY ALL
