import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { compiler } from '../../src/contract/compiler.ts'
import { sourceTasks } from '../../src/contract/source-tasks.ts'
import { syncTasks } from '../../src/contract/sync-tasks.ts'
import { unifiedTaskTypes } from '../../src/contract/task-types.ts'
import { wallTime } from '../../src/server/engine/schedule/wall-time.ts'
import { Fleet } from '../fleet.ts'
import { OwnServer } from '../own-server.ts'
import type { Send } from '../person.ts'
import { plainMerge } from '../plain-merge.ts'
import { until } from '../processes.ts'
import { control } from '../sandbox.ts'
import type { Cell } from '../spreadsheets.ts'

const ZONE = 'America/New_York'
const MINUTE_MS = 60_000
const SOURCES = 3
const TARGETS = 2
const ROWS = 300
const TAB = 'Table'
const Id = z.object({ id: z.int() })

// Each source has SKUs that no other has, and blanks that the others fill.
const table = (source: number, round: number): Cell[][] => [
  ['SKU', 'Name', `Own ${source}`],
  ...Array.from({ length: ROWS }, (_, row) => [
    String(row + source * 50).padStart(5, '0'),
    (row + source) % 3 === 0 ? '' : `Name ${source}/${row}`,
    `Round ${round}`,
  ]),
]

/** What the targets hold after a round, by SKU. */
function expected(round: number): Map<string, Cell[]> {
  const sources = Array.from({ length: SOURCES }, (_, source) => {
    const [columns = [], ...rows] = table(source, round)
    return { columns: columns.map(String), sku: 0, rows }
  })
  const { fields, records } = plainMerge(sources)
  return new Map(
    records.map(({ sku, values }) => [sku, [sku, ...fields.map((field) => values[field] ?? '')]]),
  )
}

/** Three sheets, a compile of them, two targets of that: their types depend on each other in this order. */
async function build(fleet: Fleet, send: Send) {
  const add = async (call: { method: string; path: string }, body: object) =>
    (await send(call.method, call.path, Id, body)).id
  const sheets: string[] = []
  const source_task_ids: number[] = []
  const sources = await add(unifiedTaskTypes.create, {
    name: 'Sources',
    task_category: 'source',
    allowed_concurrent_tasks: 2,
    max_retries: 0,
  })
  for (let source = 0; source < SOURCES; source += 1) {
    const sheet = await fleet.spreadsheet({ [TAB]: table(source, 0) })
    sheets.push(sheet)
    source_task_ids.push(
      await add(sourceTasks.create, {
        name: `Source ${source}`,
        source_task_type_id: sources,
        source_type: 'sheet',
        spreadsheet_id: sheet,
        sheet_name: TAB,
        chunk_size: 100,
      }),
    )
  }
  const config = await add(compiler.createConfig, {
    name: 'Merged',
    source_task_ids,
    master_source_id: source_task_ids[0],
  })
  const compile = await add(unifiedTaskTypes.create, {
    name: 'Compile',
    task_category: 'compiler',
    compiler_config_id: config,
    depends_on_id: sources,
  })
  const copies = await add(unifiedTaskTypes.create, {
    name: 'Copies',
    task_category: 'sync',
    depends_on_id: compile,
    allowed_concurrent_tasks: TARGETS,
    chunk_size: 100,
  })
  const targets: string[] = []
  for (let target = 0; target < TARGETS; target += 1) {
    const sheet = await fleet.spreadsheet({ [TAB]: [] })
    targets.push(sheet)
    await add(syncTasks.create, {
      sync_task_type_id: copies,
      name: `Copy ${target}`,
      source_type: 'internal',
      source_compiler_config_id: config,
      target_ss_id: sheet,
      target_sheet_name: TAB,
    })
  }
  return { sheets, targets }
}

/** Lets all three categories be due at the same minute, which has just passed; schedulers see it when they look next. */
async function makeDue(fleet: Fleet): Promise<void> {
  const due = new Date(Math.floor(Date.now() / MINUTE_MS - 2) * MINUTE_MS)
  const [hour, minute] = new Date(wallTime(due, ZONE)).toISOString().slice(11, 16).split(':').map(Number)
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  const { db } = fleet
  await sql`delete from due_moments`.execute(db)
  await sql`update task_types set cron_schedule = ${`${minute} ${hour} * * *`} where category <> 'sync'`.execute(
    db,
  )
  await sql`update tasks set scheduled_times = array[${time}::text] where category = 'sync'`.execute(db)
  await sql`update task_types set scheduled_since = now() - interval '1 day'`.execute(db)
  await sql`update tasks set scheduled_since = now() - interval '1 day', created_at = now() - interval '1 day'`.execute(
    db,
  )
  await sql`update schedule_clock set scanned_until = ${due}::timestamptz - interval '1 minute'`.execute(db)
}

test('04:00 for all three categories: sources, then the compile, then the copies, each once, whenever everything is killed, api and database too', {
  timeout: 900_000,
}, async () => {
  const server = await OwnServer.start()
  onTestFinished(server.close)
  const fleet = await Fleet.open({}, { own: server })
  onTestFinished(fleet.close)
  const { db } = fleet
  let api = await fleet.start('api')
  const { send } = await fleet.people()
  const { sheets, targets } = await build(fleet, send)
  const roles = ['worker', 'worker', 'scheduler']
  await control(fleet.root, 'PUT', 'latency', { ms: 600, jitter_ms: 600 })

  const count = async (condition: ReturnType<typeof sql<boolean>>) => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from runs r where ${condition}`.execute(db)
    return rows[0]?.n ?? 0
  }
  let last_run = 0
  const ours = (condition: ReturnType<typeof sql<boolean>>) =>
    count(sql<boolean>`r.id > ${last_run} and ${condition}`)
  const moments = [
    ['the runs are queued', () => ours(sql<boolean>`true`)],
    [
      'sources are fetched',
      () => ours(sql<boolean>`category = 'source' and state = 'running' and job_retry is not null`),
    ],
    ['one source is done', () => ours(sql<boolean>`category = 'source' and state = 'success'`)],
    ['it compiles', () => ours(sql<boolean>`category = 'compiler' and state <> 'queued'`)],
    [
      'targets are written',
      () => ours(sql<boolean>`category = 'sync' and state = 'running' and job_retry is not null`),
    ],
  ] as const

  for (const [round, [name, reached]] of moments.entries()) {
    for (const [source, sheet] of sheets.entries())
      await fleet.write(sheet, `${TAB}!A1`, table(source, round))
    await makeDue(fleet)
    const first = await Promise.all(roles.map((role) => fleet.start(role)))
    await until(name, async () => (await reached()) > 0, 120)
    await Promise.all([api, ...first].map((member) => member.end('SIGKILL')))
    await server.crash()
    api = await fleet.start('api')
    const second = await Promise.all(roles.map((role) => fleet.start(role)))
    const all = SOURCES + 1 + TARGETS
    const over = sql<boolean>`state not in ('queued', 'running', 'stopping')`
    await until(
      `all is over although everything was killed when ${name}`,
      async () => (await ours(over)) === all,
      240,
    )

    const runs = await db
      .selectFrom('runs')
      .select(['id', 'category', 'state', 'error', 'started_at', 'finished_at', 'attempts'])
      .where('id', '>', last_run)
      .execute()
    expect(runs.map(({ state, error }) => [state, error])).toEqual(runs.map(() => ['success', null]))
    const edge = (category: string, end: 'started_at' | 'finished_at') =>
      runs.filter((run) => run.category === category).map((run) => run[end]?.getTime() ?? Number.NaN)
    expect(Math.min(...edge('compiler', 'started_at')), name).toBeGreaterThanOrEqual(
      Math.max(...edge('source', 'finished_at')),
    )
    expect(Math.min(...edge('sync', 'started_at')), name).toBeGreaterThanOrEqual(
      Math.max(...edge('compiler', 'finished_at')),
    )
    const due = await db.selectFrom('due_moments').select(['task_id', 'outcome', 'run_id']).execute()
    expect(due.map(({ outcome }) => outcome)).toEqual(due.map(() => 'started'))
    expect(new Set(due.map(({ run_id }) => run_id)).size).toBe(all)

    const rows = expected(round)
    for (const target of targets) {
      const [, ...held] = await fleet.values(target, TAB)
      expect(held).toHaveLength(rows.size)
      // the API leaves out what is blank at the end of a row
      for (const row of held) {
        const whole = rows.get(String(row[0]))
        expect(whole?.map((_, column) => row[column] ?? '')).toEqual(whole)
      }
    }
    last_run = Math.max(...runs.map(({ id }) => id))
    await Promise.all(second.map((member) => member.end()))
  }
  await api.end()
})
