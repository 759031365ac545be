-- Paid charges by product and month from verifyReceipt answers, each once however often it was
-- captured: what `subreport refunds --source receipts --by product` counts.
WITH copies AS (
  SELECT unnest(latest_receipt_info) AS t
  FROM read_json(getvariable('files'), format = 'newline_delimited',
    maximum_object_size = 16777216, columns = {
      latest_receipt_info: 'STRUCT(product_id VARCHAR, purchase_date_ms VARCHAR,
        web_order_line_item_id VARCHAR, is_trial_period VARCHAR)[]'})
), charges AS (
  SELECT DISTINCT t.product_id AS product, t.web_order_line_item_id AS item,
    t.purchase_date_ms::BIGINT // 1000 AS second
  FROM copies WHERE t.is_trial_period = 'false'
)
SELECT strftime(make_timestamp(second * 1000000), '%Y-%m') AS month, product, 'charges' AS cell,
  count(*) AS value
FROM charges GROUP BY ALL ORDER BY ALL
