import { beforeEach, describe, expect, test, vi } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import type { CopyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { type Previewed, planOfRun } from '../../../../../test/fixtures/previewed.ts'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import { splitServerMessages as split } from '../../../../contract/sync-tasks/server-messages.ts'
import { listVersions } from '../../../features/plans/queries/versions.ts'
import { readSnapshot, snapshotRows } from '../../../snapshots/snapshot.ts'

// Each read of a workbook starts a process.
vi.setConfig({ testTimeout: 120_000 })

const header = ['SKU', 'Country', 'Stock']
const rows = [
  ['1', 'DE', 5],
  ['2', 'FR', 3],
  ['3', 'DE', 8],
]
/** A row of DE has changed, FR is gone, IT is new. */
const later = [
  ['1', 'DE', 50],
  ['3', 'DE', 8],
  ['4', 'IT', 1],
]

async function edit(world: CopyWorld, source: string, data: Cell[][], headers: Cell[] = header) {
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [headers, ...data])
}

async function apply(world: CopyWorld, task: number, { plan_id, message }: Previewed) {
  expect(plan_id, message).not.toBeNull()
  return world.run(task, { plan: plan_id })
}

const limits = { days: 30, per_task: 20, bytes: 1e9 }

/** A task whose tabs DE and FR are written; its source holds `data` by now. */
async function written(world: CopyWorld, data: Cell[][], settings: object = {}) {
  const pair = await world.pair([header, ...rows], [], { split_by: 'Country', ...settings })
  const first = await world.run(pair.task)
  expect(first.state, first.message).toBe('success')
  await edit(world, pair.source, data)
  const values = async (...tabs: string[]) => Promise.all(tabs.map((tab) => world.values(pair.target, tab)))
  return { ...pair, first, values }
}

/** The copied data of a task: its header row and rows, their formats, and their hash. */
async function copied({ db }: CopyWorld, task: number) {
  const { snapshot_id } = await db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  const stored = await readSnapshot(db, snapshot_id ?? 0)
  if (!stored) throw new Error('The task has no copied data')
  const { id, row_count, formats, hash } = stored
  const table: Cell[][] = [stored.header]
  for await (const page of snapshotRows(db, id, 1, row_count + 1)) table.push(...page)
  return { table, formats, hash }
}

const DE = [header, rows[0], rows[2]]
const FR = [header, rows[1]]

describe.each(copyWorlds())('over %s', (_provider, world) => {
  beforeEach(() => world.faults())

  test('a preview says what would happen to all tabs, and writes nothing', async () => {
    const { target, task, values } = await written(world, later, { on_missing: 'clear' })
    const tabs = await world.tabs(target)
    const { state, message, plan, receipt, run_id, rows: shown } = await world.preview(task)
    expect([state, message]).toEqual([
      'success',
      messages.would_change(messages.tabs_of(3, 'Web shop'), receipt?.cells_changed ?? 0),
    ])
    expect(receipt).toMatchObject({ mode: 'preview', writes: 0, plan: plan?.hash, rows: 3 })
    expect((await world.requestsOf(run_id)).write).toBe(0)
    expect(await world.tabs(target)).toEqual(tabs)
    expect(await values('DE', 'FR')).toEqual([DE, FR])
    expect(plan).toMatchObject({
      state: 'open',
      tabs: [
        { value: 'DE', change: 'changed', rows: { changed: 1 } },
        { value: 'IT', change: 'created', rows: { added: 1 } },
        { value: 'FR', change: 'cleared', rows: { removed: 1 } },
      ],
      summary: {
        rows: { former: 3, wanted: 3, removed: 1, changed: 1, added: 1, moved: 0 },
        cells: { changed: 1 },
      },
    })
    expect(plan?.summary.lines.slice(0, 4)).toEqual([
      { level: 'danger', text: messages.lines.tabs_cleared(1, 'FR') },
      { level: 'danger', text: messages.lines.removed(1, 3) },
      { level: 'change', text: messages.lines.tabs_created(1, 'IT') },
      { level: 'change', text: messages.lines.changed(1, 1) },
    ])
    expect(
      shown.map(({ position, tab, kind, old_row, new_row }) => [position, tab, kind, old_row, new_row]),
    ).toEqual([
      [1, 'DE', 'changed', 2, 2],
      [2, 'IT', 'added', null, 2],
      [3, 'FR', 'removed', 2, null],
    ])
    const stored = await world.db
      .selectFrom('split_tabs')
      .select('value')
      .where('task_id', '=', task)
      .execute()
    expect(stored.map(({ value }) => value).sort()).toEqual(['DE', 'FR'])
  })

  test('a plan is applied as it is, whatever the source holds by then, and leaves what its preview said', async () => {
    const { source, task, values } = await written(world, later, { on_missing: 'clear' })
    const preview = await world.preview(task)
    await edit(world, source, [['9', 'ES', 9]])
    const run = await apply(world, task, preview)
    expect([run.state, run.message]).toEqual(['success', split.done(3, 3)])
    expect(run.receipt).toMatchObject({
      plan: preview.plan?.hash,
      cells_changed: preview.receipt?.cells_changed,
    })
    expect(await values('DE', 'IT', 'FR')).toEqual([
      [header, later[0], later[1]],
      [header, later[2]],
      [header],
    ])
    const of = await planOfRun(world.db, run.id)
    expect(of.tabs.map(({ value, cells_written }) => [value, cells_written])).toEqual(
      preview.plan?.tabs.map(({ value, cells_written }) => [value, cells_written]),
    )
    expect(of.summary.rows).toMatchObject({ removed: 1, changed: 1, added: 1 })
  })

  test('if any tab differs from what the plan saw, nothing is written, and the cell and the tab are named', async () => {
    const { target, task, values } = await written(world, later)
    const preview = await world.preview(task)
    await world.write(target, 'DE!C3', [[7]])
    const run = await apply(world, task, preview)
    expect([run.state, run.requests.write]).toEqual(['failed', 0])
    expect(run.message).toBe(messages.outdated(1, '1 cell (C3)', messages.by.editor, '‘DE’ in ‘Web shop’'))
    expect(await world.tabs(target)).not.toContain('IT')
    expect(await values('DE')).toEqual([[header, rows[0], ['3', 'DE', 7]]])
    const [stored] = await world.db
      .selectFrom('plans')
      .select('outdated_at')
      .where('hash', '=', preview.plan?.hash ?? '')
      .execute()
    expect(stored?.outdated_at).not.toBeNull()
  })

  test('a tab that the plan leaves alone is part of what it saw', async () => {
    const { target, task, values } = await written(world, [['1', 'DE', 50], ...rows.slice(1)])
    const preview = await world.preview(task)
    expect(preview.plan?.tabs).toMatchObject([{ change: 'changed' }, { value: 'FR', change: 'unchanged' }])
    await world.write(target, 'FR!C2', [[0]])
    expect((await apply(world, task, preview)).message).toContain('‘FR’')
    expect(await values('DE')).toEqual([DE])
  })

  test('the last run is undone in all tabs, and the undo is undone', async () => {
    const { task, values } = await written(world, later, { on_missing: 'clear' })
    const second = await world.run(task)
    expect(second.state, second.message).toBe('success')
    const all = ['DE', 'FR', 'IT'] as const
    const after = await values(...all)
    const undo = await world.undo(task)
    expect(undo.plan).toMatchObject({
      restores: { run_id: second.id, side: 'former', kept: { cells: 0 } },
      summary: { rows: { former: 3, wanted: 3 } },
    })
    const run = await apply(world, task, undo)
    expect(run.state, run.message).toBe('success')
    expect(await values(...all)).toEqual([DE, FR, []])
    expect((await copied(world, task)).table).toEqual([...DE, ...FR.slice(1)])
    const { older_version } = await world.db
      .selectFrom('sync_tasks')
      .select('older_version')
      .where('task_id', '=', task)
      .executeTakeFirstOrThrow()
    expect(older_version).toEqual({ run_id: second.id, side: 'former' })
    const again = await apply(world, task, await world.undo(task))
    expect(again.state, again.message).toBe('success')
    expect(await values(...all)).toEqual(after)
    const restored = await copied(world, task)
    expect(restored.table).toEqual([header, ...later])
    await world.run(task)
    expect(await copied(world, task)).toEqual(restored)
  })

  test('restored rows are shown as copied data with those of tabs that the version left alone, in columns matched by header', async () => {
    const { source, task, values } = await written(world, later)
    const second = await world.run(task)
    expect(second.state, second.message).toBe('success')
    const sized = ['SKU', 'Size', 'Country', 'Stock']
    const data = [
      ['1', 'M', 'DE', 51],
      ['4', 'L', 'IT', 2],
    ]
    await edit(world, source, data, sized)
    await world.run(task)
    await edit(world, source, [...data, ['5', 'S', 'ES', 4]], sized)
    const last = await world.run(task)
    expect(last.state, last.message).toBe('success')
    await apply(world, task, await world.undo(task))
    expect((await copied(world, task)).table).toEqual([sized, data[0], ['2', '', 'FR', 3], data[1]])
    await apply(world, task, await world.restore(task, second.id))
    expect(await values('DE', 'FR', 'IT', 'ES')).toEqual([
      [header, later[0], later[1]],
      FR,
      [header, later[2]],
      [],
    ])
    expect((await copied(world, task)).table).toEqual([header, ...later.slice(0, 2), rows[1], later[2]])
  })

  test('cells that others edited since are kept and named with their tab', async () => {
    const { target, task, values } = await written(world, later, { on_missing: 'clear' })
    await world.run(task)
    await world.write(target, 'DE!C3', [['mine']])
    const undo = await world.undo(task)
    expect(undo.plan?.restores?.kept).toEqual({ cells: 1, addresses: ['‘DE’!C3'] })
    const run = await apply(world, task, undo)
    expect(['success', 'warning'], run.message).toContain(run.state)
    expect(await values('DE', 'FR')).toEqual([[header, rows[0], ['3', 'DE', 'mine']], FR])
  })

  test('a version is restored in every tab that has changed since, and only there', async () => {
    const { source, task, first, values } = await written(world, [['1', 'DE', 50], ...rows.slice(1)])
    const second = await world.run(task)
    await edit(world, source, [
      ['1', 'DE', 51],
      ['2', 'FR', 33],
      ['3', 'DE', 8],
      ['4', 'IT', 1],
    ])
    await world.run(task)
    const restored = await world.restore(task, second.id)
    const run = await apply(world, task, restored)
    expect(run.state, run.message).toBe('success')
    expect(await values('DE', 'FR', 'IT')).toEqual([[header, ['1', 'DE', 50], rows[2]], FR, []])
    await apply(world, task, await world.restore(task, first.id))
    expect(await values('DE', 'FR', 'IT')).toEqual([DE, FR, []])
    const { versions } = await listVersions(world.db, task, limits)
    expect(versions.map(({ restores }) => restores?.run_id ?? null)).toEqual([
      first.id,
      second.id,
      null,
      null,
      null,
    ])
    // A later run writes the source's rows again.
    await world.run(task)
    expect(await values('DE', 'IT')).toEqual([
      [header, ['1', 'DE', 51], rows[2]],
      [header, ['4', 'IT', 1]],
    ])
  })

  test('a tab whose value is gone is named in the plans of previews and runs, and stays as it is', async () => {
    const { task, values } = await written(world, later)
    const line = { level: 'note', text: messages.lines.tabs_kept(1, 'FR') }
    const { plan } = await world.preview(task)
    expect(plan?.tabs.map(({ value }) => value)).toEqual(['DE', 'IT'])
    expect(plan?.summary.lines).toContainEqual(line)
    const run = await world.run(task)
    expect((await planOfRun(world.db, run.id)).summary.lines).toContainEqual(line)
    expect(await values('FR')).toEqual([FR])
  })

  test('a run that changes nothing is no version', async () => {
    const { task } = await written(world, rows)
    await world.run(task)
    const { versions } = await listVersions(world.db, task, limits)
    expect(versions).toMatchObject([
      { rows: 3, cells_changed: expect.any(Number), summary: { rows: { added: 3 } } },
    ])
    const { plan, message } = await world.preview(task)
    expect(message).toBe(messages.nothing(messages.tabs_of(2, 'Web shop')))
    expect(plan?.summary.lines).toEqual([{ level: 'note', text: messages.lines.nothing }])
  })
})
