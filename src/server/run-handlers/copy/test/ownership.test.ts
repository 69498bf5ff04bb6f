import { describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'

describe.each(copyWorlds())('over %s', (_provider, world) => {
  describe('what a task owns in its target', () => {
    test('are the columns it writes, to the bottom; what is right of them stays', async () => {
      const { target, task } = await world.pair(
        [
          ['SKU', 'Price'],
          ['A', 1],
        ],
        [
          ['x', 'x', 'Mine'],
          ['x', 'x', 'keep'],
          ['x', 'x', 'keep too'],
          ['x', null, 7],
        ],
      )
      const run = await world.run(task)
      expect(run.state).toBe('success')
      expect(await world.values(target, 'Shop')).toEqual([
        ['SKU', 'Price', 'Mine'],
        ['A', 1, 'keep'],
        ['', '', 'keep too'],
        ['', '', 7],
      ])
    })

    test('are columns of an earlier run too, so that a narrower table leaves nothing behind', async () => {
      const { source, target, task } = await world.pair(
        [
          ['SKU', 'Price', 'Stock'],
          ['A', 1, 10],
          ['B', 2, 20],
        ],
        [[null, null, null, 'Mine']],
      )
      await world.run(task)
      await world.clear(source, 'Products')
      await world.write(source, 'Products!A1', [['SKU'], ['A']])
      const narrower = await world.run(task)
      expect(narrower).toMatchObject({ state: 'success', receipt: { rows: 1, columns: 1 } })
      expect(await world.values(target, 'Shop')).toEqual([['SKU', '', '', 'Mine'], ['A']])
      // Columns that the task gave up belong to the user.
      await world.write(target, 'Shop!C1', [['Hers']])
      await world.write(source, 'Products!A1', [
        ['SKU', 'Price'],
        ['A', 5],
        ['C', 6],
      ])
      await world.run(task)
      expect(await world.values(target, 'Shop')).toEqual([
        ['SKU', 'Price', 'Hers', 'Mine'],
        ['A', 5],
        ['C', 6],
      ])
    })

    test('begins at the header row: rows above it are neither read nor written, in source and target', async () => {
      const { target, task } = await world.pair(
        [['Catalogue of 2026'], [null], ['SKU', 'Price'], ['A', 1]],
        [['Our shop', 'see below'], ['note'], ['old', 'old'], ['old', 'old'], ['old', 'old']],
        { start_row: 3 },
      )
      await world.run(task)
      expect(await world.values(target, 'Shop')).toEqual([
        ['Our shop', 'see below'],
        ['note'],
        ['SKU', 'Price'],
        ['A', 1],
      ])
    })

    test('skips the columns of its preset and closes the gaps', async () => {
      // Decomposed Unicode, as macOS writes it.
      const margin = 'Märge'.normalize('NFD')
      const preset = await world.db
        .insertInto('sync_presets')
        .values({ name: 'No cost', excluded_fields: ['Cost', 'Märge '] })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { target, task } = await world.pair(
        [
          ['SKU', 'Cost', 'Price', margin, 'Stock'],
          ['A', 1, 2, 0.5, 10],
          ['B', 1, null, 0.5, null],
          [null, 9, null, 9, null],
        ],
        [],
        { sync_preset_id: preset.id },
      )
      const run = await world.run(task)
      expect(await world.values(target, 'Shop')).toEqual([['SKU', 'Price', 'Stock'], ['A', 2, 10], ['B']])
      expect(run.receipt).toMatchObject({ rows: 2, columns: 3 })
      expect(run.log).toContain(`INFO Left out by the preset: Cost, ${margin}.`)
    })

    test('grows and shrinks in both directions, by staged and by small commits', async () => {
      const sized = (rows: number, columns: number) =>
        Array.from({ length: rows }, (_, row) =>
          Array.from({ length: columns }, (_, column) => `${row}/${column}`),
        )
      const { source, target, task } = await world.pair(sized(3, 3), [])
      for (const [rows, columns] of [
        [4_100, 12],
        [3, 14],
        [4_200, 11],
        [5, 2],
      ] as const) {
        await world.clear(source, 'Products')
        const room = { rowCount: 5_000, columnCount: 20 }
        const properties = { sheetId: 100, gridProperties: room }
        await world.batch(source, {
          updateSheetProperties: { properties, fields: 'gridProperties(rowCount,columnCount)' },
        })
        await world.write(source, 'Products!A1', sized(rows, columns))
        const run = await world.run(task)
        expect(run).toMatchObject({ state: 'success', receipt: { rows: rows - 1, columns } })
        expect(await world.values(target, 'Shop')).toEqual(sized(rows, columns))
      }
    })

    test('does not extend to another tab that has taken the target’s name', async () => {
      const { source, target, task } = await world.pair(
        [
          ['SKU', 'Price', 'Stock'],
          ['A', 1, 2],
        ],
        [],
      )
      await world.run(task)
      const fresh = { sheetId: 500, title: 'Fresh' }
      await world.batch(target, { addSheet: { properties: fresh } }, { deleteSheet: { sheetId: 100 } })
      const renamed = { sheetId: 500, title: 'Shop' }
      await world.batch(target, { updateSheetProperties: { properties: renamed, fields: 'title' } })
      await world.write(target, 'Shop!C1', [['Hers']])
      await world.clear(source, 'Products')
      await world.write(source, 'Products!A1', [['SKU'], ['A']])
      await world.run(task)
      expect(await world.values(target, 'Shop')).toEqual([['SKU', '', 'Hers'], ['A']])
    })
  })

  describe('blank and repeated headers', () => {
    test('are copied as they are', async () => {
      const header = ['SKU', null, 'SKU', 2026, true]
      const { source, target, task } = await world.pair([header, ['A', 'b', 'c', 1, 2]], [])
      expect((await world.run(task)).state).toBe('success')
      expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
    })

    test('may be all blank if there are cells below', async () => {
      const { target, task } = await world.pair([[null], ['A', 1]], [['old'], ['old', 'old', 'old']])
      expect((await world.run(task)).state).toBe('success')
      expect(await world.values(target, 'Shop')).toEqual([[], ['A', 1, 'old']])
    })
  })
})
