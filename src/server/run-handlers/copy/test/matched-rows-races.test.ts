import { describe, expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { COMMIT } from '../../../../../test/fixtures/edited-copies.ts'
import {
  changed,
  data,
  edits,
  enter,
  header,
  held,
  KEY,
  modes,
  pair,
  racedWorlds,
  rowsAt,
  sorted,
  type Table,
  wantedRows,
} from '../../../../../test/fixtures/matched-table.ts'

// Edits by other people between the reading of a target whose rows are matched, and the commit.
const { direct, staged } = racedWorlds()

const cases = Object.keys(modes).flatMap((mode) =>
  Object.entries(edits).map(([what, edit]) => ({ mode, what, edit })),
)

const STAGED = [
  'sorts the table',
  'clears a row of the task',
  'inserts a row in the middle',
  'types into the first row below',
  'fills a row below',
]

const CLEARS = 'clears a row of the task'
/** Edits that Google refuses a commit for: a plan is outdated then. */
const REFUSED = /^(inserts|deletes)/

describe.each([
  { how: 'small', worldOf: () => direct, edited: cases },
  { how: 'staged', worldOf: () => staged, edited: cases.filter(({ what }) => STAGED.includes(what)) },
])('right before a $how commit', ({ worldOf, edited: tried }) => {
  const all = ['run', 'plan'].flatMap((of) => tried.map((one) => ({ ...one, of })))
  test.concurrent.each(all)(
    'of a $of, $mode: a person who $what loses nothing, and the rows end right',
    async ({ of, mode, what, edit }) => {
      const world = worldOf()
      const { target, task } = await pair(world, mode)
      const plan = of === 'plan' ? (await world.preview(task)).plan_id : null
      const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
      await world.start(task, { plan })
      await request.arrived
      await world.batch(target, edit)
      const edited = await world.values(target, 'Shop')
      await request.deliver()
      const run = await world.ended(task)
      const after = await world.values(target, 'Shop')
      const said = `${run.state} ${run.message} ${run.log.join(' ')} ${JSON.stringify({ edited, after })}`
      if (of === 'plan' && REFUSED.test(what)) {
        expect([run.state, after], said).toEqual(['failed', edited])
        expect(run.message).toContain('Nothing was written')
        return
      }
      expect(['success', 'warning'], said).toContain(run.state)
      const isLeftOut = of === 'plan' && what === CLEARS && mode !== 'append without a key'
      if (isLeftOut) {
        const wanted = wantedRows(mode, edited).filter(([key]) => key !== '007')
        expect(sorted(after), said).toEqual(sorted(wanted))
        const warned = run.log.filter((line) => line.includes('Left out: '))
        expect(warned, said).toHaveLength(mode.startsWith('update') ? 1 : 0)
        expect(warned.join(), said).toContain(
          mode.startsWith('update') ? 'Left out: 007. Run the task to bring it up to date.' : '',
        )
        await world.run(task)
        const now = await world.values(target, 'Shop')
        expect(sorted(now), said).toEqual(sorted(wantedRows(mode, edited)))
        return
      }
      expect(sorted(after), said).toEqual(sorted(wantedRows(mode, edited)))
      if (what === 'sorts the table' && mode.startsWith('update')) {
        expect(run.state, said).toBe('warning')
        expect(run.log.join(' '), said).toMatch(
          /was sorted, or rows of it were cleared, while this run wrote\. \d cells? of .* put back: /,
        )
      }
      expect((await world.run(task)).receipt?.mode, said).toBe('unchanged')
      expect(await world.values(target, 'Shop'), said).toEqual(after)
    },
  )
})

const plain = held.map((row) => row.slice(0, 3))
const withoutNut = plain.filter(([key]) => key !== '008')

describe.each([
  { how: 'small', worldOf: () => direct },
  { how: 'staged', worldOf: () => staged },
])('right before a $how commit that clears the row of 008', ({ worldOf }) => {
  test.concurrent.each([
    { whose: 'of another editor', from: 1, state: 'warning' },
    { whose: 'of the task', from: 4, state: 'success' },
  ])(
    'a row $whose with nothing beside it, moved to where 008 stood, is put back there',
    async ({ from, state }) => {
      const world = worldOf()
      const { source, target, task } = await world.pair(
        [header, ...held.slice(2).map((row) => row.slice(0, 3))],
        plain,
        { write_mode: 'update', key_columns: KEY, on_missing: 'clear' },
      )
      expect((await world.run(task)).receipt?.mode).toBe('unchanged')
      await world.clear(source, 'Products')
      await world.write(source, 'Products', [header, ...withoutNut.slice(2)])
      const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
      await world.start(task)
      await request.arrived
      const move = { source: rowsAt(from, from + 1), destinationIndex: from < 3 ? 4 : 3 }
      await world.batch(target, { moveDimension: move })
      const edited = await world.values(target, 'Shop')
      await request.deliver()
      const run = await world.ended(task)
      const after = await world.values(target, 'Shop')
      const said = `${run.message} ${run.log.join(' ')} ${JSON.stringify({ edited, after })}`
      expect(run.state, said).toBe(state)
      expect(after[3], said).toEqual(plain[from])
      expect(sorted(after), said).toEqual(sorted(withoutNut))
      expect((await world.run(task)).receipt?.mode, said).toBe('unchanged')
    },
  )
})

/** The rows that an undo leaves, of those that were there when it committed. */
function undoneRows(mode: string, edited: Table): Table {
  const former = new Map(held.map((row) => [row[0], row]))
  const appended = new Set(
    changed
      .slice(1)
      .filter(([key]) => key !== '008')
      .map((row) => JSON.stringify(row)),
  )
  return edited.map((row) => {
    const [key] = row
    const isAdded =
      key === '010' || (mode === 'append without a key' && appended.has(JSON.stringify(row.slice(0, 3))))
    if (isAdded) return [null, null, null, ...row.slice(3)]
    const was = former.get(String(key))
    return mode.startsWith('update') && was && key !== 'own' ? [...was.slice(0, 3), ...row.slice(3)] : row
  })
}

// The others write into cells of rows that the undo clears.
const beside = cases.filter(
  ({ mode, what }) =>
    !/key into the first|types into the first|fills/.test(what) &&
    !(mode === 'append without a key' && what === 'types further below'),
)

describe.each([
  { how: 'small', worldOf: () => direct, edited: beside },
  { how: 'staged', worldOf: () => staged, edited: beside.filter(({ what }) => STAGED.includes(what)) },
])('right before a $how commit', ({ worldOf, edited: tried }) => {
  test.concurrent.each(tried)(
    'of an undo, $mode: a person who $what loses nothing, and no row moves',
    async ({ mode, what, edit }) => {
      const world = worldOf()
      const { target, task } = await pair(world, mode)
      expect(['success', 'warning']).toContain((await world.run(task)).state)
      const { plan_id } = await world.undo(task)
      const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
      await world.start(task, { plan: plan_id })
      await request.arrived
      await world.batch(target, edit)
      const edited = await world.values(target, 'Shop')
      await request.deliver()
      const run = await world.ended(task)
      const after = await world.values(target, 'Shop')
      const said = `${run.state} ${run.message} ${run.log.join(' ')} ${JSON.stringify({ edited, after })}`
      if (REFUSED.test(what)) {
        expect([run.state, after], said).toEqual(['failed', edited])
        expect(run.message).toContain('Nothing was written')
        return
      }
      expect(['success', 'warning'], said).toContain(run.state)
      expect(sorted(after), said).toEqual(sorted(undoneRows(mode, edited)))
      const leftOut = run.log.filter((line) => line.includes('Left out: 007. Restore the version again'))
      expect(leftOut, said).toHaveLength(what === CLEARS && mode.startsWith('update') ? 1 : 0)
    },
  )
})

test('a plan that is written leaves a cell alone that it does not change, also if its row was typed into and moved', async () => {
  const world = direct
  const { target, task } = await pair(world, 'update')
  const { plan_id } = await world.preview(task)
  const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await world.start(task, { plan: plan_id })
  await request.arrived
  await world.batch(target, enter(2, 1, 'typed'), edits['sorts the table'])
  await request.deliver()
  expect((await world.ended(task)).state).toBe('warning')
  expect((await world.values(target, 'Shop'))[1]).toEqual(['007', 'typed', 70, 'note of 007'])
  await world.run(task)
  expect((await world.values(target, 'Shop'))[1]).toEqual(['007', 'Bolt', 70, 'note of 007'])
})

test.concurrent.each(['run', 'plan', 'undo'])(
  'a %s that replaces the rows of columns found by their headers moves no note of a table that is sorted right before its commit',
  async (of) => {
    const world = direct
    const own = (table: Table) => table.map((row) => [0, 1, 3].map((column) => row[column] ?? ''))
    const notes = (table: Table) => table.flatMap((row) => row[2] || [])
    const withNotes = (table: Table) =>
      table.map(([key = null, name = null, stock = null], row) => [
        key,
        name,
        row === 0 ? 'Note' : `note ${row}`,
        stock,
      ])
    const { source, target, task } = await world.pair(
      [header, ...held.slice(2)],
      withNotes([header, ...held.slice(2)]) as Cell[][],
      {
        ...{ find_columns_by_header: true, on_cells_beside: 'warn' },
      },
    )
    expect((await world.run(task)).state).toBe('success')
    await world.clear(source, 'Products')
    await world.write(source, 'Products', changed)
    if (of === 'undo') await world.run(task)
    const plan =
      of === 'run' ? null : (await (of === 'plan' ? world.preview(task) : world.undo(task))).plan_id
    const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
    await world.start(task, { plan })
    await request.arrived
    await world.batch(target, {
      sortRange: { range: data, sortSpecs: [{ dimensionIndex: 0, sortOrder: 'DESCENDING' }] },
    })
    const edited = await world.values(target, 'Shop')
    await request.deliver()
    const run = await world.ended(task)
    const after = await world.values(target, 'Shop')
    const said = `${run.state} ${run.message} ${JSON.stringify({ edited, after })}`
    expect(['success', 'warning'], said).toContain(run.state)
    expect(notes(after), said).toEqual(notes(edited))
    const wanted = of === 'undo' ? [header, ...held.slice(2), []] : changed
    expect(own(after), said).toEqual(own(withNotes(wanted)).map((row) => row.map((cell) => cell ?? '')))
  },
)
