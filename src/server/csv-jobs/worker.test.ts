import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import { aUser } from '../../../test/fixtures/factories.ts'
import { refuseInserts } from '../../../test/fixtures/refusals.ts'
import { until } from '../../../test/processes/processes.ts'
import { csvJobServerMessages } from '../../contract/csv-jobs/server-messages.ts'
import { frameMessages } from '../../contract/system/client-messages.ts'

import type { Trx } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import type { CsvImport, ImportContext } from './import.ts'
import { openJob } from './jobs.ts'
import { writeParts } from './parts.ts'
import { pruneCsvJobs } from './prune.ts'
import { type CsvDefinitions, startCsvWorker } from './worker.ts'

const database = databasePerTest()
const workers: { stop: () => Promise<void> }[] = []

function worker(definitions: Partial<CsvDefinitions>) {
  const log = pino({ level: 'silent' })
  const { db, url } = database
  const started = startCsvWorker({
    db,
    databaseUrl: url,
    definitions: { imports: [], exports: [], ...definitions },
    log,
  })
  workers.push(started)
  return started
}

afterEach(async () => {
  await Promise.all(workers.splice(0).map((one) => one.stop()))
})

const shape = { columns: ['name'], required: ['name'], ignored: [] }

/** Imports presets, which only have a name. */
const imports = (
  run: (trx: Trx, context: ImportContext) => Promise<void> = storeAll,
  type: CsvImport['type'] = 'source_task',
): CsvImport => ({ type, shape, run })

async function storeAll(trx: Trx, { batches, ended }: ImportContext): Promise<void> {
  for await (const rows of batches)
    for (const row of rows) {
      await trx
        .insertInto('sync_presets')
        .values({ name: row.cells.name ?? '' })
        .execute()
      ended(row, 'created')
    }
}

async function aJob(names = ['A', 'B'], type: CsvImport['type'] = 'source_task'): Promise<number> {
  const { db } = database
  const { id, email } = await aUser(db)
  return db.transaction().execute(async (trx) => {
    const job_id = await openJob(trx, { type, kind: 'import', filename: 'a.csv', actor: { id, email } })
    await writeParts(trx, job_id, bytesOf(`name\n${names.join('\n')}\n`))
    return job_id
  })
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const jobOf = (id: number) =>
  database.db.selectFrom('csv_jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const isOver = async (id: number) => ['completed', 'failed'].includes((await jobOf(id)).status)
const presets = async () =>
  (await database.db.selectFrom('sync_presets').select('name').orderBy('name').execute()).map(
    ({ name }) => name,
  )
const partsOf = (id: number) =>
  database.db.selectFrom('csv_file_parts').select('part_no').where('job_id', '=', id).execute()

test('a job whose process died is restarted; its file is deleted when it ends', async () => {
  const id = await aJob()
  await database.db
    .updateTable('csv_jobs')
    .set({ status: 'running', attempts: 1, processed_count: 1 })
    .where('id', '=', id)
    .execute()
  worker({ imports: [imports()] })
  await until('it is over', () => isOver(id))
  expect(await jobOf(id)).toMatchObject({ status: 'completed', attempts: 2, processed_count: 2 })
  expect(await presets()).toEqual(['A', 'B'])
  expect(await partsOf(id)).toEqual([])
})

test('a file that ended three processes is not tried a fourth time', async () => {
  const id = await aJob()
  await database.db
    .updateTable('csv_jobs')
    .set({ status: 'running', attempts: 3 })
    .where('id', '=', id)
    .execute()
  worker({ imports: [imports()] })
  await until('it is over', () => isOver(id))
  expect(await jobOf(id)).toMatchObject({ status: 'failed', error: csvJobServerMessages.csv_interrupted })
  expect(await presets()).toEqual([])
  expect(await partsOf(id)).toEqual([])
})

test('a job whose connection breaks is restarted, and its work is not stored twice', async () => {
  const id = await aJob()
  let times = 0
  const breaking = imports(async (trx, context) => {
    await storeAll(trx, context)
    times += 1
    if (times === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
  })
  worker({ imports: [breaking] })
  await until('it is over', () => isOver(id))
  expect(await jobOf(id)).toMatchObject({ status: 'completed', attempts: 2 })
  expect(await presets()).toEqual(['A', 'B'])
})

test('a stopping worker releases its job without counting an attempt, and another worker finishes it', async () => {
  const id = await aJob(Array.from({ length: 1_600 }, (_, n) => `N${n}`))
  const begun = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const first = worker({
    imports: [
      imports(async (trx, context) => {
        begun.resolve()
        await stopped.promise
        await storeAll(trx, context)
      }),
    ],
  })
  await begun.promise
  const stopping = first.stop()
  stopped.resolve()
  await stopping
  await until('it is put back', async () => (await jobOf(id)).status === 'pending')
  expect(await jobOf(id)).toMatchObject({ attempts: 0 })
  expect(await presets()).toEqual([])
  worker({ imports: [imports()] })
  await until('it is over', () => isOver(id))
  expect(await jobOf(id)).toMatchObject({ status: 'completed', attempts: 1, processed_count: 1_600 })
})

test('imports of one kind run one at a time in order of arrival, across all processes', async () => {
  const ids = [await aJob(['1']), await aJob(['2']), await aJob(['3'])]
  const order: string[] = []
  let atOnce = 0
  let most = 0
  const slow = imports(async (trx, context) => {
    atOnce += 1
    most = Math.max(most, atOnce)
    for await (const rows of context.batches)
      for (const row of rows) {
        order.push(row.cells.name ?? '')
        await sql`select pg_sleep(0.05)`.execute(trx)
        context.ended(row, 'created')
      }
    atOnce -= 1
  })
  for (let n = 0; n < 3; n += 1) worker({ imports: [slow] })
  for (const id of ids) await until('it is over', () => isOver(id))
  expect(order).toEqual(['1', '2', '3'])
  expect(most).toBe(1)
})

test.each([
  ['what the file is refused for', new NamedError('csv_invalid', { message: 'No' }), 'No', 'csv_invalid'],
  ['a failure of our own', new TypeError('x'), frameMessages.unexpected, 'unexpected'],
])('%s fails the job, and nothing of it is stored', async (_what, thrown, error, error_code) => {
  const id = await aJob()
  const failing = imports(async (trx, context) => {
    await storeAll(trx, context)
    throw thrown
  })
  worker({ imports: [failing] })
  await until('it is over', () => isOver(id))
  expect(await jobOf(id)).toMatchObject({ status: 'failed', error, error_code, summary: {} })
  expect(await presets()).toEqual([])
  expect(await partsOf(id)).toEqual([])
})

test('a row without a reported result fails the job', async () => {
  const id = await aJob()
  const forgetful = imports(async (_trx, { batches }) => {
    for await (const _ of batches);
  })
  worker({ imports: [forgetful] })
  await until('it is over', () => isOver(id))
  expect(await jobOf(id)).toMatchObject({ status: 'failed', error: frameMessages.unexpected })
})

test('the rows shown are the first of the file, whatever order they finish in', async () => {
  const id = await aJob(Array.from({ length: 1_500 }, (_, n) => `N${n}`))
  const backwards = imports(async (_trx, { batches, ended }) => {
    const all = []
    for await (const rows of batches) all.push(...rows)
    for (const row of all.reverse())
      if (row.row % 2) ended(row, { field: 'name', message: 'Odd' })
      else ended(row, 'skipped', [{ field: null, message: 'Even' }])
  })
  worker({ imports: [backwards] })
  await until('it is over', () => isOver(id))
  const { errors, warnings, summary } = await jobOf(id)
  const shown = (first: number) => Array.from({ length: 100 }, (_, n) => ({ row: first + 2 * n }))
  expect(errors).toMatchObject(shown(3))
  expect(warnings).toMatchObject(shown(2))
  expect(summary).toMatchObject({ created: 0, skipped: 750, failed: 750 })
})

test('the file of a job is kept for a day, the job itself as long as all history', async () => {
  const { db } = database
  const [fresh, old, ancient] = [await aJob(), await aJob(), await aJob()]
  const finished = (id: number, hours: number) =>
    db
      .updateTable('csv_jobs')
      .set({
        status: 'completed',
        file: 'row,field,message\n',
        finished_at: new Date(Date.now() - hours * 3_600_000),
      })
      .where('id', '=', id)
      .execute()
  await finished(fresh, 23)
  await finished(old, 25)
  await finished(ancient, 24 * 91)
  await pruneCsvJobs(db, 90)
  const rows = await db.selectFrom('csv_jobs').select(['id', 'file']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: fresh, file: 'row,field,message\n' },
    { id: old, file: null },
  ])
  expect([(await partsOf(fresh)).length, (await partsOf(old)).length]).toEqual([1, 0])
})

test('a job that the database refuses for a while waits and restarts without counting an attempt; other kinds continue', async () => {
  const { db } = database
  let tried = 0
  const counting = imports(async (trx, context) => {
    tried += 1
    await storeAll(trx, context)
  })
  const allow = await refuseInserts(db, ['sync_presets'])
  const id = await aJob()
  const other = await aJob(['C'], 'sync_task')
  const skipping = imports(async (_trx, { batches, ended }) => {
    for await (const rows of batches) for (const row of rows) ended(row, 'skipped')
  }, 'sync_task')
  worker({ imports: [counting, skipping] })
  await until('the other one is over', () => isOver(other))
  await until('it was tried twice', () => tried >= 2)
  await until('it is put back', async () => (await jobOf(id)).status === 'pending')
  expect(await jobOf(id)).toMatchObject({ attempts: 0 })
  await allow()
  await until('it is over', () => isOver(id))
  expect(await jobOf(id)).toMatchObject({ status: 'completed', attempts: 1, error: null })
  expect(await presets()).toEqual(['A', 'B'])
})
