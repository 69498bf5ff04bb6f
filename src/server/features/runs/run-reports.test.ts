import { afterEach, beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { allRuns } from '../../../contract/all-runs/calls.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

afterEach(async () => {
  await app.db.deleteFrom('runs').execute()
})

test('the report of a run has its log, its inputs and the runs that wait for it', async () => {
  const { db } = app
  const [origin, config] = [await aSourceTask(db), await aConfig(db)]
  const input = await aRun(db, origin.id, {
    category: 'source',
    task_name: 'Origin',
    state: 'running',
    started_at: new Date(),
  })
  const reader = await aRun(db, config.task_id, {
    category: 'compiler',
    task_name: 'Catalogue',
    input_run_ids: [input.id],
    waits_for_run_id: input.id,
  })
  await db
    .insertInto('log_entries')
    .values([
      { task_id: origin.id, run_id: input.id, level: 'INFO', message: 'Started' },
      { task_id: origin.id, run_id: null, level: 'INFO', message: 'Of no run' },
      { task_id: origin.id, run_id: input.id, level: 'WARNING', message: 'Slow' },
    ])
    .execute()
  const report = async (id: number) =>
    allRuns.report.reply.parse((await ada.request('GET', `/api/runs/${id}/report`)).json())

  const of_input = await report(input.id)
  expect(of_input.log.map(({ message }) => message)).toEqual(['Slow', 'Started'])
  expect(of_input.awaited_by).toEqual([
    { run_id: reader.id, task_id: config.task_id, task_name: 'Catalogue', sheets: null },
  ])
  expect(of_input.awaited_by_count).toBe(1)
  const of_reader = await report(reader.id)
  expect(of_reader.inputs).toEqual([
    {
      ...{ run_id: input.id, task_id: origin.id, task_name: 'Origin', sheets: null },
      ...{ state: 'running', finished_at: null },
    },
  ])
  expect(of_reader.waits_for).not.toBeNull()
  expect(of_reader.prerequisites).toEqual([])
  expect(of_reader.run).toMatchObject({ config_id: config.id, inputs_until: null })

  const over = new Date('2026-11-20T05:00:00Z')
  await db
    .updateTable('runs')
    .set({ state: 'success', finished_at: over })
    .where('id', '=', input.id)
    .execute()
  expect((await report(reader.id)).run.inputs_until).toBe(over.toISOString())
  expect((await ada.request('GET', '/api/runs/999999/report')).statusCode).toBe(404)
})

test('the report of a run names the runs of prerequisite types that ended while it was queued', async () => {
  const { db } = app
  const [first, second] = [await aType(db), await aType(db)]
  await db
    .insertInto('task_type_dependencies')
    .values({ task_type_id: second.id, depends_on_id: first.id, condition: 'completion', position: 1 })
    .execute()
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
  const of = async (type: number, [queued, started, ended]: [number, number, number]) =>
    aRun(db, (await aSyncTask(db, { task_type_id: type })).id, {
      task_type_id: type,
      task_name: 'Nightly',
      definition: JSON.stringify({ source_sheet_name: 'Products', target_sheet_name: 'Shop' }),
      queued_at: at(queued),
      started_at: at(started),
      finished_at: at(ended),
      state: 'success',
    })
  await of(first.id, [0, 1, 2])
  const early = await of(first.id, [1, 2, 4])
  const late = await of(first.id, [1, 2, 5])
  const run = await of(second.id, [3, 6, 7])
  await of(first.id, [3, 4, 5])
  const reply = await ada.request('GET', `/api/runs/${run.id}/report`)
  const { prerequisites } = allRuns.report.reply.parse(reply.json())
  expect(prerequisites.map(({ run_id }) => run_id)).toEqual([late.id, early.id])
  expect(prerequisites[0]).toMatchObject({
    task_id: expect.any(Number),
    task_name: 'Nightly',
    sheets: { source_sheet_name: 'Products', target_sheet_name: 'Shop' },
  })
})
