import { expect, test } from 'vitest'
import { bulkMessages } from './bulk/client-messages.ts'
import { originMessages } from './connections/server-messages.ts'
import { csvJobMessages } from './csv-jobs/client-messages.ts'
import { csvJobServerMessages } from './csv-jobs/server-messages.ts'
import { pipelineMessages as pipeline } from './pipeline/client-messages.ts'
import { sourceServerMessages } from './source-tasks/server-messages.ts'
import { taskServerMessages } from './tasks/server-messages.ts'

test.each([
  [taskServerMessages.moved('A', 1998, 2002), 'A is number 1,998 of 2,002 now'],
  [csvJobServerMessages.csv_row_ragged(1998, 2002), 'The row has 1,998 cells, the header 2,002'],
  [csvJobServerMessages.csv_rows_many(200_000), 'The file has more than 200,000 rows.'],
  [csvJobServerMessages.csv_quote_open(2002), expect.stringContaining('2,002')],
  [originMessages.test_read(1998, 2002, false), 'Read 1,998 rows in 2,002 pages.'],
  [originMessages.csv_ragged(1998, 2002), expect.stringMatching(/^1,998 rows have .* 2,002\.$/)],
  [bulkMessages.statuses_reset(2002), '2,002 task statuses have been reset successfully.'],
  [pipeline.failed(2002), '2,002 tasks have failed'],
  [csvJobMessages.errors_shown(100, 2002), 'Showing first 100 of 2,002 errors…'],
  [csvJobMessages.rows_refused(2002), '2,002 rows were refused'],
  [sourceServerMessages.rows_accepted(1998), '1,998 rows are current now'],
])('numbers in messages have thousands separators: %s', (message, text) => {
  expect(message).toEqual(text)
})
