import { expect, test } from 'vitest'
import { messages as server } from './messages.ts'
import { originMessages as origins } from './origin-messages.ts'
import { messages as pages } from './page-messages.ts'
import { pipelineMessages as pipeline } from './pipeline-messages.ts'
import { messages as screens } from './screen-messages.ts'
import { sourceMessages } from './source-messages.ts'

test.each([
  [server.moved('A', 1998, 2002), 'A is number 1,998 of 2,002 now'],
  [server.csv_row_ragged(1998, 2002), 'The row has 1,998 cells, the header 2,002'],
  [server.csv_rows_many(200_000), 'The file has more than 200,000 rows.'],
  [server.csv_quote_open(2002), expect.stringContaining('2,002')],
  [origins.test_read(1998, 2002, false), 'Read 1,998 rows in 2,002 pages.'],
  [origins.csv_ragged(1998, 2002), expect.stringMatching(/^1,998 rows have .* 2,002\.$/)],
  [pages.statuses_reset(2002), '2,002 task statuses have been reset successfully.'],
  [pipeline.failed(2002), '2,002 tasks have failed'],
  [screens.errors_shown(100, 2002), 'Showing first 100 of 2,002 errors…'],
  [screens.rows_refused(2002), '2,002 rows were refused'],
  [sourceMessages.rows_accepted(1998), '1,998 rows are current now'],
])('numbers in messages have their thousands apart: %s', (message, text) => {
  expect(message).toEqual(text)
})
