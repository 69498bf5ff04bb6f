import { expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld()

const header = ['SKU', 'Stock']
const KEY = JSON.stringify(['SKU'])

test.each([
  ['update', { write_mode: 'update', key_columns: KEY }],
  ['append', { write_mode: 'append', key_columns: KEY }],
  ['append without a key', { write_mode: 'append', key_columns: '[]' }],
] as const)(
  '%s writes new rows into blank ones where the spreadsheet has no room to insert any',
  async (_mode, settings) => {
    const { source, target, task } = await world.pair([header, ['A', 1]], [], settings)
    await world.run(task)
    const grid = async () => {
      const { data } = await world.api.spreadsheets.get({ spreadsheetId: target })
      return data.sheets?.find(({ properties }) => properties?.title === 'Shop')?.properties?.gridProperties
    }
    await world.batch(target, {
      updateSheetProperties: {
        properties: { sheetId: 100, gridProperties: { rowCount: 8, columnCount: 3 } },
        fields: 'gridProperties(rowCount,columnCount)',
      },
    })
    // Room for a staging tab alone.
    await world.fillUp(target, 5)
    await world.write(target, 'Shop!C2', [['note of A']])
    await world.write(source, 'Products', [header, ['A', 1], ['B', 2], ['C', 3]])
    const run = await world.run(task)
    expect(run.state, run.message).toBe('success')
    expect(await world.values(target, 'Shop')).toEqual([header, ['A', 1, 'note of A'], ['B', 2], ['C', 3]])
    expect(await grid()).toMatchObject({ rowCount: 8, columnCount: 3 })
    expect((await world.run(task)).receipt?.mode).toBe('unchanged')
  },
)
