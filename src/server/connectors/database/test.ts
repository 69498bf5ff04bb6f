import type { ConnectionTest, DatabaseSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import type { Row } from '../../../contract/tables.ts'
import { columnTypes } from '../column-types.ts'
import { OriginFailure } from '../connector.ts'
import { parseRow } from '../row-json.ts'
import type { DatabaseContext } from './server.ts'
import { openDatabase } from './source.ts'

// Rows that are enough to determine column types.
const ROWS_READ = 1000

/** Tests a connection: reads the first rows as a run does, then ends the statement. Failures are returned. */
export async function testDatabase(
  settings: DatabaseSettings,
  context: DatabaseContext,
): Promise<ConnectionTest> {
  const began = performance.now()
  const rows: Row[] = []
  let warnings: readonly string[] = []
  let has_more = false
  let failure: OriginFailure | null = null
  try {
    const source = await openDatabase({ name: '', settings }, context)
    const reading = source.read()
    for await (const batch of reading.batches) {
      for (const row of batch) rows.push(parseRow(Buffer.from(row).toString('utf8')))
      has_more = rows.length > ROWS_READ + 1
      if (has_more) break
    }
    warnings = reading.warnings
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    failure = error
  }
  const [header = [], ...data] = rows.slice(0, ROWS_READ + 1)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  return {
    ok: failure === null,
    message: failure?.message ?? originMessages.database_tested(data.length, has_more, seconds),
    exchanges: [],
    columns: columnTypes(header, data),
    rows: data.slice(0, limits.test_rows_shown),
    rows_read: data.length,
    pages_read: rows.length > 0 ? 1 : 0,
    total: has_more || failure ? null : data.length,
    has_more,
    warnings: [...warnings],
    guess: null,
    file_format: null,
  }
}
