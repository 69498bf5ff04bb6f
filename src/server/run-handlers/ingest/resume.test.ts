import { expect, test } from 'vitest'
import { ScriptedSource } from '../../../../test/fakes/scripted-source.ts'
import { copyWorld, until } from '../../../../test/fixtures/copy-world.ts'
import { untilInterrupted } from '../../../../test/fixtures/engine.ts'
import { endOfIngest } from '../../../../test/fixtures/ingest-end.ts'
import type { Row } from '../../../contract/tables.ts'

const origin = new ScriptedSource()
const world = copyWorld({ sources: origin })

// Each page is larger than a batch of the writer.
const PAGE = 2_000
const table = (count: number): Row[] => [
  ['SKU', 'Text'],
  ...Array.from({ length: count }, (_, index) => [`SKU-${index + 1}`, 'x'.repeat(600)]),
]

async function stored(task_id: number) {
  const rows = await world.db
    .selectFrom('tasks')
    .innerJoin('snapshot_rows as r', 'r.snapshot_id', 'tasks.snapshot_id')
    .select(['row_no', 'cells'])
    .where('tasks.id', '=', task_id)
    .orderBy('row_no')
    .execute()
  return rows.map(({ row_no, cells }) => [row_no, cells[0]])
}

/** Runs a task whose worker gives the run up once `rows` rows were requested. */
async function restartWorker(rows: number, resumes: boolean) {
  const task = await world.sourceTask({ spreadsheet_id: 'a-spreadsheet-id' })
  const all = table(5 * PAGE)
  let stuck = true
  let reached = false
  origin.resumed.length = 0
  origin.script = {
    rows: all,
    page: PAGE,
    resumes,
    before: async (row, signal) => {
      reached = row >= rows
      if (reached && stuck) await untilInterrupted(signal)
    },
  }
  await world.start(task)
  await until(() => reached)
  stuck = false
  await world.changeEngine()
  await endOfIngest(world.db, task)
  return task
}

const everyRow = Array.from({ length: 5 * PAGE }, (_, index) => [index + 1, `SKU-${index + 1}`])

test('another worker resumes after the rows received, and stores each row once', async () => {
  const task = await restartWorker(4 * PAGE, true)
  const [first, again] = origin.resumed
  expect(first).toBe(0)
  expect(again).toBeGreaterThan(PAGE)
  expect(await stored(task)).toEqual(everyRow)
  const whole = await world.sourceTask({ spreadsheet_id: 'a-spreadsheet-id' })
  const hash = (await world.ingest(whole)).receipt?.hash
  expect((await endOfIngest(world.db, task)).receipt).toMatchObject({ hash, rows: 5 * PAGE })
})

test('a read that cannot resume starts over', async () => {
  const task = await restartWorker(4 * PAGE, false)
  expect(origin.resumed).toEqual([0, 0])
  expect(await stored(task)).toEqual(everyRow)
})

test('a read of a changed origin is not resumed', async () => {
  const task = await world.sourceTask({ spreadsheet_id: 'a-spreadsheet-id' })
  const rows = table(5 * PAGE)
  let reached = false
  origin.resumed.length = 0
  const before = async (row: number, signal: AbortSignal) => {
    reached = row >= 4 * PAGE
    if (reached) await untilInterrupted(signal)
  }
  origin.script = { rows, page: PAGE, resumes: true, before }
  await world.start(task)
  await until(() => reached)
  origin.script = { rows, page: PAGE, resumes: true, version: '2' }
  await world.changeEngine()
  await endOfIngest(world.db, task)
  expect(origin.resumed).toEqual([0, 0])
  expect(await stored(task)).toEqual(everyRow)
})

test('a sheet edited between requests is read again', async () => {
  const task = await world.sourceTask({ spreadsheet_id: 'a-spreadsheet-id' })
  const identity = { spreadsheet_name: 'Book', sheet_name: 'Products', tab_id: '1' }
  let edited = false
  const edit = (row: number) => {
    if (row === 3 && !edited) {
      edited = true
      origin.script = { ...origin.script, rows: table(9) }
    }
  }
  origin.script = { rows: table(8), page: 3, identity, before: edit }
  const run = await world.ingest(task)
  expect(run.log.join('\n')).toMatch('The origin was edited while it was read.')
  expect(run).toMatchObject({ state: 'success', receipt: { rows: 9 } })
})

test('an unchanged origin is not read; a different origin is not asked for changes', async () => {
  const task = await world.sourceTask({ spreadsheet_id: 'a-spreadsheet-id' })
  origin.script = { rows: table(3), validator: 'v1' }
  await world.ingest(task)
  const again = await world.ingest(task)
  expect(again.receipt).toMatchObject({ requests: 0, is_changed: false, rows: 3 })
  origin.script = { ...origin.script, version: '2' }
  const other = await world.ingest(task)
  expect(other.receipt).toMatchObject({ requests: 1, is_changed: false })
})
