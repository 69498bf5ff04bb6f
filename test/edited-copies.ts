import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Edit, FILTER } from './colleague-edits.ts'
import type { Ended } from './copy-settings.ts'
import type { CopyWorld } from './copy-world.ts'
import type { Match } from './late-proxy.ts'
import { accessToken } from './sandbox.ts'
import { type SeenSpreadsheet, type SeenTab, seenSpreadsheet } from './seen-spreadsheet.ts'
import { type Cell, Spreadsheets } from './spreadsheets.ts'

/** A copy of 4 columns that a colleague meets. `first`: no run has written to the target yet. */
export type Scenario = { rows: number; first: boolean }

/** The request that changes the table. */
export const COMMIT = { body: /"deleteSheet"/ } satisfies Match

const OWNED = { sheet_id: 100, title: 'Shop', start_row: 3, columns: 4 }

const table = (mark: string, rows: number): Cell[][] =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: OWNED.columns }, (_, column) =>
      row === 0 ? `H${column}` : `${mark} ${row}/${column}`,
    ),
  )

/**
 * Lets a colleague edit the target right before a request of a copy, and sees to it that nothing of theirs is lost, by this run or
 * the next. Returns whether there was such a request; otherwise the edit came after the last one.
 */
export async function editBefore(
  world: CopyWorld,
  moment: Match,
  scenario: Scenario,
  edit: Edit,
): Promise<boolean> {
  const { ben, target, task } = await shared(world, scenario)
  const path = new RegExp(`${target}.*${moment.path?.source ?? ''}`)
  const held = world.proxy.hold({ ...moment, path })
  await world.start(task)
  const ended = world.ended(task)
  const body = await Promise.race([held.arrived, ended.then(() => null)])
  await ben.batch(target, ...edit.requests)
  const edited = await seenSpreadsheet(ben, target, OWNED)
  if (body !== null) await held.deliver()
  const run = await ended
  const ignores = {
    // Set again as it stood at the last look, which this came after.
    filter: body?.includes('"setBasicFilter"') ?? false,
    table: scenario.first,
    all: edit.unseen === true && body !== null && COMMIT.body.test(body),
  }
  // What is lost is told; a first copy says beforehand that it replaces what is there.
  if (ignores.all && !scenario.first) expect(run.state, run.message).not.toBe('success')
  const now = await swept(world, ben, target)
  judge(edit, run, { edited, now, ignores })
  const wanted = table('new', scenario.rows)
  if (run.state === 'failed' || !isDeepStrictEqual(now.target?.table, wanted)) {
    const next = await world.run(task)
    const then = await swept(world, ben, target)
    judge(edit, next, { edited, now: then, ignores })
    if (next.state !== 'failed') expect(then.target?.table, next.message).toEqual(wanted)
  }
  return body !== null
}

/** What there is at last: hidden tabs that a run had no time to clear away, and that are on record for it, are swept first. */
async function swept(world: CopyWorld, ben: Spreadsheets, target: string): Promise<SeenSpreadsheet> {
  const seen = await seenSpreadsheet(ben, target, OWNED)
  if (seen.left_over.length === 0) return seen
  const { numUpdatedRows } = await world.db
    .updateTable('staging_tabs')
    .set({ next_look_at: sql<Date>`now()` })
    .where('spreadsheet_id', '=', target)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return seen
  await world.cleanUp()
  return swept(world, ben, target)
}

/** What stands above the table and beside it. */
const ABOVE = [['mine: prices'], [null, 'mine: as of today']]
const BESIDE = ['mine', 'mine 1', 'mine 2', 'mine 3', 'mine 4', 'mine 5']

/** A person's view of a world, whose access token lasts for all of its tests. */
const benOf = onceFor((world: CopyWorld) => {
  const ben = new Spreadsheets()
  ben.connect(world.root, () => accessToken(world.root, 'ben@example.com'))
  return ben
})

/** What a run of a task leaves on record, for other tasks that copy the same: a run for each of them is half of what a test takes. */
const leftByRun = onceFor((world: CopyWorld) =>
  onceFor(async (rows: number) => {
    const source = await world.spreadsheet({ Products: [...ABOVE, ...table('old', rows)] })
    const target = await world.spreadsheet({ Shop: ABOVE })
    const { start_row } = OWNED
    const task = await world.task({ source_ss_id: source, target_ss_id: target, start_row })
    expect(await world.run(task)).toMatchObject({ state: 'success' })
    const { snapshot_id, ...left } = await world.db
      .selectFrom('sync_tasks')
      .innerJoin('tasks', 'id', 'task_id')
      .select(['source_ss_name', 'source_place', 'target_ss_name', 'target_place'])
      .select(['owned_columns', 'owned_rows', 'owned_start_row', 'snapshot_id'])
      .where('task_id', '=', task)
      .executeTakeFirstOrThrow()
    return { left, snapshot_id }
  }),
)

/** A spreadsheet of Ben's with cells of his around those of Ada's task, which has something to write. */
async function shared(world: CopyWorld, { rows, first }: Scenario) {
  const ben = benOf(world)
  const beside = Object.fromEntries(BESIDE.map((cell, row) => [row, cell]))
  const old = table('old', rows)
  const held = Array.from({ length: Math.max(old.length, BESIDE.length) }, (_, row) => [
    ...Array.from({ length: OWNED.columns }, (_, column) => old[row]?.[column] ?? null),
    null,
    beside[row] ?? null,
  ])
  const [source, target] = await Promise.all([
    world.spreadsheet({ Products: [...ABOVE, ...table('new', rows)] }),
    ben.spreadsheet({ Shop: [...ABOVE, ...held] }),
  ])
  await ben.share(target)
  const properties = { sheetId: OWNED.sheet_id, gridProperties: { rowCount: 100, columnCount: 10 } }
  const fields = 'gridProperties(rowCount,columnCount)'
  await ben.batch(target, { updateSheetProperties: { properties, fields } }, FILTER)
  const before = first ? null : await leftByRun(world)(rows)
  const between = { source_ss_id: source, target_ss_id: target, start_row: OWNED.start_row }
  const task = await world.task({ ...between, ...before?.left })
  await world.setRetries(task, 0)
  if (before) {
    const { snapshot_id } = before
    await world.db.updateTable('tasks').set({ snapshot_id }).where('id', '=', task).execute()
  }
  return { ben, target, task }
}

/** The same, made once for each key. */
function onceFor<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>()
  return (key) => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
}

type Sights = {
  edited: SeenSpreadsheet
  now: SeenSpreadsheet
  /** `table`: what is in the columns of the table is replaced by a first copy. */
  ignores: { filter: boolean; table: boolean; all: boolean }
}

function judge(edit: Edit, run: Ended, { edited, now, ignores }: Sights): void {
  const said = `${run.state}: ${run.message}`
  expect(now.left_over, said).toEqual([])
  if (run.state === 'failed') {
    expect(run.message).toMatch(edit.ends ?? 'nothing, since this edit ends no run')
    expect(now.target?.table, said).toEqual(edited.target?.table)
  } else expect(['success', 'warning'], said).toContain(run.state)
  if (ignores.all) return
  const theirs = ({ title, others, filter, table: rows }: SeenTab) => ({
    others,
    ...(ignores.filter ? {} : { filter }),
    ...(title !== now.target?.title ? { rows } : ignores.table ? {} : { cells: places(rows) }),
  })
  expect(now.others, said).toEqual(edited.others)
  for (const tab of edited.tabs) {
    const same = now.tabs.find(({ title }) => title === tab.title)
    expect(same && theirs(same), said).toEqual(theirs(tab))
  }
}

/** Where the colleague's own cells stand within the columns of the table. */
const places = (rows: unknown[][]) =>
  rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) => (String(cell).startsWith('mine') ? [{ row, column, cell }] : [])),
  )
