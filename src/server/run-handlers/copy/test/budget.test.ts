import { beforeAll, describe, expect, test } from 'vitest'
import type { Ended } from '../../../../../test/fixtures/copy-settings.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld()
const ROWS = 20_000
const table = Array.from({ length: ROWS + 1 }, (_, row) =>
  Array.from({ length: 20 }, (_, column) => (column % 3 === 0 ? row * column : `Value ${row} of ${column}`)),
)
const bytes = Buffer.byteLength(JSON.stringify(table))

describe('what a copy of 20,000 rows x 20 columns costs Google', () => {
  let source = ''
  let task = 0
  let first: Ended | undefined
  const progress: { phase: string; rows_done: number }[] = []

  beforeAll(async () => {
    source = await world.spreadsheet({ Products: [] })
    const grid = { sheetId: 100, gridProperties: { rowCount: ROWS + 1, columnCount: 20 } }
    await world.batch(source, {
      updateSheetProperties: { properties: grid, fields: 'gridProperties(rowCount,columnCount)' },
    })
    for (let row = 0; row <= ROWS; row += 5_000) {
      await world.write(source, `Products!A${row + 1}`, table.slice(row, row + 5_000))
    }
    const target = await world.spreadsheet({ Shop: [] })
    task = await world.task({
      source_ss_id: source,
      target_ss_id: target,
      chunk_size: 1_000,
    })
    await world.start(task)
    let over = false
    const ended = world.ended(task).finally(() => {
      over = true
    })
    while (!over) progress.push(await world.progress(task))
    first = await ended
  })

  test('the first time: one write for every 2 MB, and two more', () => {
    expect(first).toMatchObject({ state: 'success', receipt: { mode: 'staged', rows: ROWS, columns: 20 } })
    expect(first?.requests.write).toBeLessThanOrEqual(Math.ceil(bytes / 2_000_000) + 2)
    // One read is shortened once the tab's size is known; one lists the target's tabs directly before the commit.
    expect(first?.requests.read).toBeLessThanOrEqual(7)
  })

  test('its progress is shown while it runs', () => {
    const seen = new Set(progress.map(({ phase, rows_done }) => `${phase} ${rows_done}`))
    expect(seen.size).toBeGreaterThan(3)
    for (const { rows_done } of progress) expect(rows_done).toBeLessThanOrEqual(ROWS)
  })

  test('the same again: no write', async () => {
    const again = await world.run(task)
    expect(again).toMatchObject({ state: 'success', requests: { write: 0 }, receipt: { mode: 'unchanged' } })
    expect(again.requests.read).toBeLessThanOrEqual(5)
  })

  test('with 1 % of the rows changed: two writes', async () => {
    const requests = Array.from({ length: ROWS / 100 }, (_, n) => ({
      range: `Products!A${n * 100 + 50}:T${n * 100 + 50}`,
      values: [Array.from({ length: 20 }, (_, column) => `changed ${n}/${column}`)],
    }))
    await world.api.spreadsheets.values.batchUpdate({
      spreadsheetId: source,
      requestBody: { valueInputOption: 'RAW', data: requests },
    })
    const run = await world.run(task)
    expect(run).toMatchObject({
      state: 'success',
      requests: { write: 2 },
      receipt: { mode: 'small', cells_changed: (ROWS / 100) * 20 },
    })
  })
})
