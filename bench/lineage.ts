// Asks where cells come from and where they go, in a catalogue of 1,000,000 records that three sources fill and one task copies, with 30
// versions of the target that are kept. Aim: p95 of each kind of question 300 ms.
//   node bench/lineage.ts [records]
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { type Lineage, lineage } from '../src/contract/lineage/calls.ts'
import { createDb, createPool } from '../src/server/platform/db.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { TableFormats } from '../src/server/snapshots/column-format.ts'
import { completeSnapshot, snapshotRows } from '../src/server/snapshots/snapshot.ts'
import { SnapshotWriter } from '../src/server/snapshots/snapshot-writer.ts'
import { aMerge } from '../test/fixtures/compiling.ts'
import { aRun, aSourceTask, aSyncTask } from '../test/fixtures/factories.ts'
import { totalCpuTime } from './cpu-time.ts'
import { report } from './figures.ts'
import { startApp } from './fleet-app.ts'

const RECORDS = Number(process.argv[2] ?? 1_000_000)
const TIMES = 500
const VERSIONS = 30
const LIMIT_MS = 300
const SPREADSHEET = 'x'.repeat(30)
const FIELDS = ['Name', 'Price', 'Stock', 'Colour', 'Weight']

const app = await startApp(0)
const db = createDb({ url: app.database_url })
const pool = createPool({ url: app.database_url, max: 2 })
try {
  const send = await app.signIn('ada@example.com')
  const sources: number[] = []
  for (let n = 0; n < 3; n += 1) sources.push(await fillSource(n))
  const config = await aMerge(db, sources)
  await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'compile-worker.ts'),
    app.database_url,
    String(config.task_id),
    '/tmp',
  ])
  const rows = await fillCopy(config)
  await sql`vacuum analyze`.execute(db)
  console.log(`${rows} records; load of the machine ${loadavg()[0]?.toFixed(1)}`)
  const any = (n: number) => 1 + Math.floor(Math.random() * n)
  const field = () => FIELDS[any(FIELDS.length) - 1] ?? ''
  const link = (tab: number, range: string) =>
    `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit#gid=${tab}&range=${range}`
  const questions: Record<string, () => Record<string, string>> = {
    'a cell of the target': () => ({ link: link(9, `${'ABCDEF'[any(6) - 1]}${1 + any(rows)}`) }),
    'a cell of the master source': () => ({
      link: link(1, `${'ABCDEF'[any(6) - 1]}${1 + any(RECORDS * 0.7)}`),
    }),
    'a cell of another source': () => ({
      task_id: String(sources[any(2)]),
      row: String(any(RECORDS * 0.6)),
      column: field(),
    }),
    'a field of a record': () => ({
      compiler_config_id: String(config.id),
      sku: `SKU-${any(RECORDS)}`,
      field: field(),
    }),
  }
  for (const [what, question] of Object.entries(questions)) {
    const times: number[] = []
    const cpu = totalCpuTime()
    for (let n = 0; n < TIMES; n += 1) {
      const query = new URLSearchParams(question())
      const began = performance.now()
      const found: Lineage = await send('GET', `/api/lineage?${query}`, lineage.find.reply)
      times.push(performance.now() - began)
      if (found.steps.length === 0) throw new Error(`No lineage of ${query}`)
      // The answer about a row of a source also names the records and target cells that it ends up in.
      if (what.includes('source') && found.uses.length === 0) throw new Error(`No uses of ${query}`)
    }
    report({ what: `${what}: processor time in ms`, value: ((totalCpuTime() - cpu) / TIMES) * 1000 })
    times.sort((one, other) => one - other)
    const at = (share: number) => times[Math.floor(share * TIMES)] ?? 0
    report({ what: `${what}: p50 in ms`, value: at(0.5) })
    report({ what: `${what}: p95 in ms`, value: at(0.95), limit: LIMIT_MS })
  }
} finally {
  await Promise.all([db.destroy(), pool.end()])
  await app.stop()
}

/** A source with about two thirds of the SKUs, in an order of its own; of its cells a quarter are blank. */
async function fillSource(nth: number): Promise<number> {
  const definition = { source_type: 'sheet' as const, spreadsheet_id: SPREADSHEET, place: String(nth + 1) }
  const { id } = await aSourceTask(db, { definition: { ...definition, sheet_name: `Source ${nth}` } })
  const snapshot_id = await begin(db, id, 'source', ['SKU', ...FIELDS])
  const cells = FIELDS.map(
    (_, n) =>
      `case when abs(hashint8(sku * 31 + ${nth * 7 + n})) % 4 = 0 then '' else 'Value ' || (sku + ${nth * 10 + n}) end`,
  )
  await sql`
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${snapshot_id}::int, row_number() over (order by hashint8(sku + ${sql.lit(nth)})),
      json_build_array('SKU-' || sku, ${sql.raw(cells.join(', '))})
    from generate_series(1, ${RECORDS}::bigint) sku where abs(hashint8(sku * 17 + ${sql.lit(nth)})) % 3 > 0 or sku % 3 = ${sql.lit(nth)}`.execute(
    db,
  )
  await sql`update snapshots set row_count = (select count(*) from snapshot_rows where snapshot_id = ${snapshot_id})
    where id = ${snapshot_id}`.execute(db)
  await db.updateTable('tasks').set({ snapshot_id }).where('id', '=', id).execute()
  return id
}

/** A task that has copied the records, and runs that each changed one percent of its target. Returns the number of its rows. */
async function fillCopy(config: { id: number; task_id: number }): Promise<number> {
  const { snapshot_id } = await db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', config.task_id)
    .executeTakeFirstOrThrow()
  const read_snapshot_id = snapshot_id ?? 0
  const { row_count } = await db
    .selectFrom('snapshots')
    .select('row_count')
    .where('id', '=', read_snapshot_id)
    .executeTakeFirstOrThrow()
  const task = await aSyncTask(db, {
    definition: {
      source_type: 'internal',
      source_compiler_config_id: config.id,
      target_ss_id: SPREADSHEET,
      target_place: '9',
      owned_columns: 6,
      owned_rows: row_count + 1,
      owned_start_row: 1,
    },
  })
  const header = ['SKU', ...FIELDS]
  const definition = {
    source_type: 'internal',
    source_ss_id: '',
    source_sheet_name: '',
    source_place: null,
    source_task_id: config.task_id,
    excluded_fields: [],
  }
  const run = await aRun(db, task.id, {
    state: 'success',
    finished_at: new Date(),
    definition: JSON.stringify(definition),
  })
  const id = await begin(db, task.id, 'copy', header, run.id)
  const writer = new SnapshotWriter(pool, id)
  let row = 0
  for await (const rows of snapshotRows(db, read_snapshot_id, 1, row_count + 1)) {
    for (const cells of rows) writer.add(++row, JSON.stringify(cells.map((cell) => cell ?? '')))
    await writer.flushIfLarge()
  }
  await writer.close()
  await db.transaction().execute((trx) =>
    completeSnapshot(trx, id, {
      header,
      formats: new TableFormats([]),
      row_count,
      hash: null,
      read_snapshot_id,
    }),
  )
  const pointers = { snapshot_id: id, last_success_run_id: run.id, last_run_id: run.id }
  await db.updateTable('tasks').set(pointers).where('id', '=', task.id).execute()
  const target = { tab_id: '9', start_row: 1 }
  for (let n = 0; n < VERSIONS; n += 1)
    await sql`
      insert into plans (hash, task_id, run_id, wanted_snapshot_id, former_snapshot_id, target_hash, target, differing)
      select ${`plan ${n}`}, ${task.id}::int, ${run.id}::int, ${id}::int, ${id}::int, '', ${JSON.stringify(target)}::jsonb,
        string_agg(decode(case when random() < 0.08 then '01' else '00' end, 'hex'), '')
      from generate_series(0, ${row_count}::int / 8)`.execute(db)
  return row_count
}

async function begin(
  db: Kysely<Database>,
  task_id: number,
  kind: 'copy' | 'source',
  columns: string[],
  run_id: number | null = null,
): Promise<number> {
  const names = JSON.stringify(columns)
  const { id } = await db
    .insertInto('snapshots')
    .values({ task_id, run_id, kind, columns: names, header: names, completed_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
