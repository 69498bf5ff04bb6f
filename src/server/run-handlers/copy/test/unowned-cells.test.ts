import { describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'

const worlds = copyWorlds({ proxied: true })

const header = ['SKU', 'Price', 'Stock']
const table = [header, ['A', 1, 10], ['B', 2, 20], ['C', 3, 30], ['D', 4, 40]]
const title = '‘Shop’ in ‘Web shop’'
const way = 'Nothing was written. Put this right in the target, or replace these cells on the task’s page.'

const columns = (startIndex: number, endIndex: number) => ({
  sheetId: 100,
  dimension: 'COLUMNS',
  startIndex,
  endIndex,
})
const rows = (startIndex: number, endIndex: number) => ({
  ...columns(startIndex, endIndex),
  dimension: 'ROWS',
})

describe.each(worlds)('over %s', (provider, world) => {
  /** A task that has run once, with another editor's column next to its owned columns. */
  async function settled(beside: (string | null)[] = ['Mine', 'm1', 'm2'], definition = {}) {
    const made = await world.pair(table, [], definition)
    await world.run(made.task)
    await world.write(
      made.target,
      'Shop!D1',
      beside.map((cell) => [cell]),
    )
    return made
  }

  /** Runs the task and expects it to fail before the first write. */
  async function refused(task: number, target: string) {
    const held = await world.values(target, 'Shop')
    const run = await world.run(task)
    expect([run.state, run.requests.write]).toEqual(['failed', 0])
    expect(await world.values(target, 'Shop')).toEqual(held)
    return run
  }

  const foreignOf = async (task_id: number) => {
    const { foreign_cells, owned_columns, intended } = await world.db
      .selectFrom('sync_tasks')
      .select(['foreign_cells', 'owned_columns', 'intended'])
      .where('task_id', '=', task_id)
      .executeTakeFirstOrThrow()
    return { foreign_cells, owned_columns, intended }
  }

  describe('a column that the source gains', () => {
    test('is not written over a colleague’s cells: the run ends as Failed and names the columns', async () => {
      const { source, target, task } = await settled()
      await world.write(source, 'Products!D1', [['Cost'], [5]])
      const run = await refused(task, target)
      expect(run.message).toBe(
        `${title} holds 3 cells of somebody else’s in column D (‘Mine’), where this task has not written before. ${way}`,
      )
      expect(await foreignOf(task)).toMatchObject({
        foreign_cells: { run_id: run.id, columns: ['D'], cells: 3 },
        owned_columns: 3,
        intended: [],
      })
    })

    test('is written where the cells beside the table are blank', async () => {
      const { source, target, task } = await settled([])
      await world.write(source, 'Products!D1', [['Cost'], [5]])
      expect((await world.run(task)).state).toBe('success')
      expect((await world.values(target, 'Shop'))[1]).toEqual(['A', 1, 10, 5])
    })
  })

  describe('columns that a colleague has changed in the target', () => {
    test.each([
      ['inserted in the middle', { insertDimension: { range: columns(1, 2) } }],
      ['inserted before the last one', { insertDimension: { range: columns(2, 3) } }],
      ['deleted in the middle', { deleteDimension: { range: columns(1, 2) } }],
      ['deleted at the end', { deleteDimension: { range: columns(2, 3) } }],
      ['moved', { moveDimension: { source: columns(0, 1), destinationIndex: 3 } }],
      ['moved out of the table', { moveDimension: { source: columns(2, 3), destinationIndex: 4 } }],
    ])('%s, end the run as Failed, the target untouched', async (_what, change) => {
      const { source, target, task } = await settled()
      await world.batch(target, change)
      await world.write(source, 'Products!B2', [[99]])
      const run = await refused(task, target)
      expect(run.message).toContain(
        `The header of ${title} shows that columns were inserted, moved or deleted: column`,
      )
    })

    test('are named with what stands in their header and what stood there', async () => {
      const { target, task } = await settled()
      await world.batch(target, { deleteDimension: { range: columns(1, 2) } })
      expect((await refused(task, target)).message).toBe(
        `The header of ${title} shows that columns were inserted, moved or deleted: columns B (‘Stock’ where ‘Price’ was), C (‘Mine’ where ‘Stock’ was). ${way}`,
      )
    })

    test('are right again once they are put back', async () => {
      const { target, task } = await settled()
      await world.batch(target, { insertDimension: { range: columns(1, 2) } })
      await refused(task, target)
      await world.batch(target, { deleteDimension: { range: columns(1, 2) } })
      expect(await world.run(task)).toMatchObject({ state: 'success', requests: { write: 0 } })
      expect((await foreignOf(task)).foreign_cells).toBeNull()
    })
  })

  describe('what is the task’s to write over', () => {
    test('is another word in a header cell while most cells below are as they were', async () => {
      const { target, task } = await settled()
      await world.write(target, 'Shop!B1', [['Cost in €'], [100]])
      expect((await world.run(task)).state).toBe('success')
      expect(await world.values(target, 'Shop!A1:C5')).toEqual(table)
    })

    test('are rows that were inserted, deleted or sorted, the header among them', async () => {
      const { target, task } = await settled([])
      for (const change of [
        { insertDimension: { range: rows(2, 4) } },
        { deleteDimension: { range: rows(1, 3) } },
        {
          sortRange: { range: { sheetId: 100 }, sortSpecs: [{ dimensionIndex: 0, sortOrder: 'DESCENDING' }] },
        },
        { insertDimension: { range: rows(0, 1) } },
      ]) {
        await world.batch(target, change)
        expect((await world.run(task)).state).toBe('success')
        expect(await world.values(target, 'Shop')).toEqual(table)
      }
    })

    test('is a target that a person has emptied', async () => {
      const { target, task } = await settled([])
      await world.clear(target, 'Shop')
      expect((await world.run(task)).state).toBe('success')
      expect(await world.values(target, 'Shop')).toEqual(table)
    })
  })

  test('a colleague’s row above the table is not written over when rows are inserted there', async () => {
    const { target, task } = await world.pair([['t'], ['t'], ...table], [['Our shop'], ['note']], {
      start_row: 3,
    })
    await world.run(task)
    await world.batch(target, { insertDimension: { range: rows(0, 1) } })
    const run = await refused(task, target)
    expect(run.message).toBe(
      `The header of ${title} does not stand in row 3 any more: rows were inserted above it, and column A (‘note’) would be written over. ${way}`,
    )
  })

  describe('a new start row', () => {
    const restart = (task: number, start_row: number) =>
      world.db.updateTable('sync_tasks').set({ start_row }).where('task_id', '=', task).execute()

    test('clears the old area of the owned columns, and nothing beside it', async () => {
      const { target, task } = await settled(['Mine', 'm1', 'm2'])
      await restart(task, 3)
      const run = await world.run(task)
      expect(run.state).toBe('success')
      expect(run.message).toContain('2 rows above it, where the table began before, are cleared.')
      expect(await world.values(target, 'Shop')).toEqual([
        ['', '', '', 'Mine'],
        ['', '', '', 'm1'],
        ['B', 2, 20, 'm2'],
        ['C', 3, 30],
        ['D', 4, 40],
      ])
      expect((await world.run(task)).requests.write).toBe(0)
    })

    test('further up is not written over what a colleague has above the table', async () => {
      const { target, task } = await world.pair([['x', 'y'], ...table], [['Our shop']], { start_row: 2 })
      await world.run(task)
      await restart(task, 1)
      const run = await refused(task, target)
      expect(run.message).toContain('holds 1 cell of somebody else’s in column A (‘Our shop’)')
    })
  })

  test('a person’s yes is to exactly the cells that were shown, for one run', async () => {
    const { source, target, task } = await settled()
    await world.write(source, 'Products!D1', [['Cost'], [5]])
    await refused(task, target)
    const shown = async () => (await foreignOf(task)).foreign_cells as { hash: string }
    const { hash } = await shown()
    await world.write(target, 'Shop!D4', [['m3']])
    const other = await world.run(task, { replace: hash })
    expect([other.state, other.requests.write]).toEqual(['failed', 0])
    const replaced = await world.run(task, { replace: (await shown()).hash })
    expect(replaced.state).toBe('success')
    expect(replaced.log).toContain(`INFO Replacing 4 cells in D of ${title}, as was asked for.`)
    expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
    expect(await foreignOf(task)).toEqual({ foreign_cells: null, owned_columns: 4, intended: [] })
  })

  test('the first run onto a tab that holds data says that it replaces it', async () => {
    const { task } = await world.pair(table, [['old'], ['x'], ['y']])
    const run = await world.run(task)
    expect(
      run.log.some(
        (line) => line.includes('holds 2 rows;') && line.includes('This first run replaces them.'),
      ),
    ).toBe(true)
  })

  test.runIf(provider === 'Google Sheets')(
    'a column is the task’s own after an attempt that wrote it and never said so',
    async () => {
      const { source, target, task } = await settled([])
      await world.write(source, 'Products!D1', [['Cost'], [5], [6]])
      // Stopped while it determines the outcome of its commit, whose response was lost.
      const commit = world.proxy.dropReply({ path: /:batchUpdate/, body: /"deleteSheet"/ })
      const look = world.proxy.hold({ method: 'GET', path: new RegExp(`${target}\\?`), nth: 2 })
      await world.start(task)
      await commit
      await look.arrived
      await world.stop(task)
      await look.deliver()
      const stopped = await world.ended(task)
      expect(stopped.state).toBe('stopped')
      await world.write(source, 'Products!D1', [['Cost'], [7], [8]])
      expect((await world.run(task)).state).toBe('success')
      expect((await world.values(target, 'Shop'))[1]).toEqual(['A', 1, 10, 7])
    },
  )
})
