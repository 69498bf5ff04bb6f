import { describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'

const worlds = copyWorlds({ proxied: true })

const header = ['SKU', 'Price', 'Stock']
const table = [header, ['A', 1, 10], ['B', 2, 20], ['C', 3, 30], ['D', 4, 40]]
const title = '‘Shop’ in ‘Web shop’'
const way = 'Nothing was written. Correct the target, or replace these cells on the task’s page.'

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
    test('does not overwrite the cells of another editor: the run ends as Failed and names the columns', async () => {
      const { source, target, task } = await settled()
      await world.write(source, 'Products!D1', [['Cost'], [5]])
      const run = await refused(task, target)
      expect(run.message).toBe(
        `${title} has 3 cells in column D (‘Mine’) that this task does not own: it has not written there before. ${way}`,
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

  describe('columns that another editor has changed in the target', () => {
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

    test('are named with their header now and before', async () => {
      const { target, task } = await settled()
      await world.batch(target, { deleteDimension: { range: columns(1, 2) } })
      expect((await refused(task, target)).message).toBe(
        `The header of ${title} shows that columns were inserted, moved or deleted: columns B (‘Stock’ where ‘Price’ was), C (‘Mine’ where ‘Stock’ was). ${way}`,
      )
    })

    test('are accepted again after they are restored', async () => {
      const { target, task } = await settled()
      await world.batch(target, { insertDimension: { range: columns(1, 2) } })
      await refused(task, target)
      await world.batch(target, { deleteDimension: { range: columns(1, 2) } })
      expect(await world.run(task)).toMatchObject({ state: 'success', requests: { write: 0 } })
      expect((await foreignOf(task)).foreign_cells).toBeNull()
    })
  })

  describe('the task may overwrite what', () => {
    test('is another text in a header cell while most cells below are unchanged', async () => {
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

    test('is a target that another editor has emptied', async () => {
      const { target, task } = await settled([])
      await world.clear(target, 'Shop')
      expect((await world.run(task)).state).toBe('success')
      expect(await world.values(target, 'Shop')).toEqual(table)
    })
  })

  test('a row of another editor above the table is not overwritten when rows are inserted there', async () => {
    const { target, task } = await world.pair([['t'], ['t'], ...table], [['Our shop'], ['note']], {
      start_row: 3,
    })
    await world.run(task)
    await world.batch(target, { insertDimension: { range: rows(0, 1) } })
    const run = await refused(task, target)
    expect(run.message).toBe(
      `The header of ${title} is no longer in row 3: rows were inserted above it, and column A (‘note’) would be overwritten. ${way}`,
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

    test('further up does not overwrite the cells of another editor above the table', async () => {
      const { target, task } = await world.pair([['x', 'y'], ...table], [['Our shop']], { start_row: 2 })
      await world.run(task)
      await restart(task, 1)
      const run = await refused(task, target)
      expect(run.message).toContain('has 1 cell in column A (‘Our shop’) that this task does not own')
    })
  })

  test('an approval is for exactly the cells that were shown, for one run', async () => {
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
    expect(replaced.log).toContain(`INFO Replacing 4 cells in D of ${title}, as approved on the task’s page.`)
    expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
    expect(await foreignOf(task)).toEqual({ foreign_cells: null, owned_columns: 4, intended: [] })
  })

  test('the first run onto a tab that holds data logs that it replaces them', async () => {
    const { task } = await world.pair(table, [['old'], ['x'], ['y']])
    const run = await world.run(task)
    expect(
      run.log.some(
        (line) => line.includes('holds 2 rows;') && line.includes('This first run replaces them.'),
      ),
    ).toBe(true)
  })

  test.runIf(provider === 'Google Sheets')(
    'a column is owned after an attempt that wrote it and ended without a result',
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
