import { describe, expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import type { CopyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { COMMIT } from '../../../../../test/fixtures/edited-copies.ts'
import {
  data,
  edits,
  enter,
  header,
  KEY,
  modes,
  pair,
  racedWorlds,
  sorted,
  wantedRows,
} from '../../../../../test/fixtures/matched-table.ts'

// Other people edit a target whose rows are matched right before the commit, and the worker ends right after it.
const { direct, staged } = racedWorlds()

const cases = Object.keys(modes).flatMap((mode) =>
  Object.entries(edits).flatMap(([what, edit]) =>
    // A plan leaves out rows of its own that are gone, see `matched-rows-races.test.ts`.
    ['run', ...(/sorts|moves|of their own/.test(what) ? ['plan'] : [])].map((of) => ({
      of,
      mode,
      what,
      edit,
    })),
  ),
)

const blankRows = (table: unknown[][]) =>
  table.filter((row) => row.every((cell) => (cell ?? '') === '')).length

/** Holds the commit until the edit is made. Its reply is lost, and the worker ends before it has read the target again; another one takes over. */
async function endAfterCommit(world: CopyWorld, target: string, edit: object, start: () => Promise<unknown>) {
  const commit = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await start()
  await commit.arrived
  await world.batch(target, edit)
  const edited = await world.values(target, 'Shop')
  const next = world.proxy.hold({ method: 'GET', path: new RegExp(target) })
  commit.breakOff()
  await commit.deliver()
  await next.arrived
  await world.changeEngine()
  return edited
}

describe.each([
  { how: 'small', worldOf: () => direct },
  { how: 'staged', worldOf: () => staged },
])('a worker that ends right after a $how commit', ({ worldOf }) => {
  test.each(cases)(
    'of a $of, $mode: a person who $what right before it loses nothing, and the rows end right',
    async ({ of, mode, what, edit }) => {
      const world = worldOf()
      const { target, task } = await pair(world, mode)
      const plan = of === 'plan' ? (await world.preview(task)).plan_id : null
      const edited = await endAfterCommit(world, target, edit, () => world.start(task, { plan }))
      const run = await world.ended(task)
      const after = await world.values(target, 'Shop')
      const said = `${run.state} ${run.message} ${run.log.join(' ')} ${JSON.stringify({ edited, after })}`
      expect(['success', 'warning'], said).toContain(run.state)
      expect(sorted(after), said).toEqual(sorted(wantedRows(mode, edited)))
      expect(blankRows(after), said).toBe(blankRows(edited))
      if (what === 'sorts the table' && mode.startsWith('update')) {
        expect(run.state, said).toBe('warning')
        expect(run.log.join(' '), said).toMatch(/\d cells? of .* put back: /)
      }
      expect((await world.run(task)).receipt?.mode, said).toBe('unchanged')
      expect(await world.values(target, 'Shop'), said).toEqual(after)
    },
  )
})

const sortDescending = {
  sortRange: { range: data, sortSpecs: [{ dimensionIndex: 0, sortOrder: 'DESCENDING' }] },
}

test.each(['run', 'plan'])(
  'of a %s that clears rows, notes beside rows that were sorted right before it stay beside them',
  async (of) => {
    const rows: Cell[][] = ['a', 'b', 'c', 'd'].map((key, n) => [key, 'Product', n])
    const { source, target, task } = await direct.pair(
      [header, ...rows],
      // Without a header, the notes are outside of the stored former rows.
      [header, ...rows.map((row) => [...row, `note of ${row[0]}`])],
      { write_mode: 'update', key_columns: KEY, on_missing: 'clear', on_cells_beside: 'warn' },
    )
    expect((await direct.run(task)).state).toBe('success')
    await direct.clear(source, 'Products')
    await direct.write(source, 'Products', [header, ...rows.slice(2)])
    const plan = of === 'plan' ? (await direct.preview(task)).plan_id : null
    const edited = await endAfterCommit(direct, target, sortDescending, () => direct.start(task, { plan }))
    const run = await direct.ended(task)
    const after = await direct.values(target, 'Shop')
    const said = `${run.message} ${run.log.join(' ')} ${JSON.stringify({ edited, after })}`
    const isCleared = ([key]: unknown[]) => key === 'a' || key === 'b'
    expect(after, said).toEqual(edited.map((row) => (isCleared(row) ? ['', '', '', row[3]] : row)))
  },
)

test('of a plan, a column that somebody inserted right before it is not written into', async () => {
  const { target, task } = await pair(direct, 'update by header, with marks')
  const { plan_id: plan } = await direct.preview(task)
  const insert = {
    insertDimension: { range: { sheetId: 100, dimension: 'COLUMNS', startIndex: 2, endIndex: 3 } },
  }
  const edited = await endAfterCommit(direct, target, insert, () => direct.start(task, { plan }))
  const run = await direct.ended(task)
  expect([run.state, await direct.values(target, 'Shop')], run.message).toEqual(['failed', edited])
  expect(run.message).toContain(
    'The column ‘Stock’ of ‘Shop’ in ‘Web shop’ was moved while the plan was written.',
  )
  expect((await direct.run(task)).state).toBe('success')
  expect(sorted(await direct.values(target, 'Shop'))).not.toEqual(sorted(edited))
})

describe.each(['small', 'staged'])(
  'a %s commit that is refused because rows were inserted, then sent again',
  (how) => {
    test.each([
      ['the worker', 0],
      ['a worker that took over a run without a commit', 1],
      ['a third worker', 2],
    ])(
      'by %s, ends right if rows are sorted right before it and the worker ends right after it',
      async (_, ended) => {
        const world = how === 'small' ? direct : staged
        const { target, task } = await pair(world, 'update')
        const path = new RegExp(target)
        const isCommit = {
          path,
          body: how === 'small' ? /updateCells.*deleteSheet/s : /copyPaste.*deleteSheet/s,
        }
        let refused = world.proxy.hold(isCommit)
        await world.start(task)
        for (let worker = 0; worker < ended; worker += 1) {
          await refused.arrived
          refused.breakOff()
          refused = world.proxy.hold(isCommit)
          await world.changeEngine()
        }
        await refused.arrived
        await world.batch(target, edits['inserts a row in the middle'])
        await world.batch(target, enter(2, 0, 'typed'))
        const commit = world.proxy.hold(isCommit)
        await refused.deliver()
        await commit.arrived
        await world.batch(target, {
          sortRange: {
            range: { ...data, endRowIndex: 6 },
            sortSpecs: [{ dimensionIndex: 0, sortOrder: 'ASCENDING' }],
          },
        })
        const edited = await world.values(target, 'Shop')
        const next = world.proxy.hold({ method: 'GET', path })
        commit.breakOff()
        await commit.deliver()
        await next.arrived
        await world.changeEngine()
        const run = await world.ended(task)
        const after = await world.values(target, 'Shop')
        const said = `${run.state} ${run.message} ${run.log.join(' ')} ${JSON.stringify({ edited, after })}`
        expect(sorted(after), said).toEqual(sorted(wantedRows('update', edited)))
        expect(run.state, said).toBe('warning')
      },
    )
  },
)
