// Worker process of bench/copy.ts. Each input line has a source and its targets. `plain` reads and writes with Google's client;
// `verified` also reads the target back; `copy` runs a sync task for each target in parallel; `live` runs each task a hundred times.
// Prints seconds and peak memory as one line of JSON per input line.

import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sheets, type sheets_v4 } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import pino from 'pino'
import { z } from 'zod'
import { longBackoff } from '../src/server/connectors/backoff.ts'
import { createGoogle } from '../src/server/connectors/google-sheets/google.ts'
import { googleSheets } from '../src/server/connectors/google-sheets/provider.ts'
import { createSources, createTargets } from '../src/server/connectors/registry.ts'
import { GOOGLE_SHEETS } from '../src/server/connectors/table-provider.ts'
import { createEngine } from '../src/server/engine/engine.ts'
import { createDb, createPool } from '../src/server/platform/db.ts'
import { createCopyHandler } from '../src/server/run-handlers/copy/handler.ts'
import { openEntry } from '../test/fixtures/open-entry.ts'
import { previewed } from '../test/fixtures/previewed.ts'
import { queuePreview, queueRun } from '../test/fixtures/run-requests.ts'
import { sourceDeps } from '../test/fixtures/source-deps.ts'
import { versionsOf } from '../test/fixtures/versions.ts'

const { ROOT, TOKEN, DATABASE_URL } = z
  .object({ ROOT: z.string(), TOKEN: z.string(), DATABASE_URL: z.string() })
  .parse(process.env)
const Books = z.object({
  source: z.string(),
  target: z.string(),
  preview: z.optional(z.boolean()),
  undo: z.optional(z.boolean()),
  key_column: z.optional(z.string()),
})
type Books = z.infer<typeof Books>
const CELLS_PER_WRITE = 200_000

const LIVES = 100
/** Maximum number of targets. */
const AT_A_TIME = 10

const role = process.argv[2]
const work = role === 'plain' || role === 'verified' ? plain : await copying(role === 'live' ? LIVES : 1)
for await (const line of createInterface({ input: process.stdin })) {
  const books = Books.parse(JSON.parse(line))
  const cpu = process.cpuUsage()
  const { seconds, said } = await work(books)
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
  const { user, system } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ seconds, peak_mb: peakMb, said, cpu_seconds: (user + system) / 1e6 }))
}
process.exit(0)

async function plain({ source, target }: Books) {
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: TOKEN })
  const api = sheets({ version: 'v4', auth, rootUrl: `${ROOT}/`, retry: false })
  const began = performance.now()
  const { data } = await api.spreadsheets.values.get({
    spreadsheetId: source,
    range: 'Table',
    valueRenderOption: 'UNFORMATTED_VALUE',
  })
  const values = data.values ?? []
  const step = Math.floor(CELLS_PER_WRITE / (values[0]?.length ?? 1))
  let writes = 0
  for (let first = 0; first < values.length; first += step) {
    writes += 1
    await api.spreadsheets.values.update({
      spreadsheetId: target,
      range: `Table!A${first + 1}`,
      valueInputOption: 'RAW',
      requestBody: { values: values.slice(first, first + step) },
    })
  }
  if (role === 'verified') await readBack(api, target, values)
  const reads = role === 'verified' ? '2 reads' : '1 read'
  return { seconds: (performance.now() - began) / 1000, said: `${reads} and ${writes} writes.` }
}

/** Reads the target back and compares it with the written values. */
async function readBack(api: sheets_v4.Sheets, target: string, values: unknown[][]): Promise<void> {
  const { data } = await api.spreadsheets.values.get({
    spreadsheetId: target,
    range: 'Table',
    valueRenderOption: 'UNFORMATTED_VALUE',
  })
  if (!isDeepStrictEqual(data.values, values)) throw new Error('The target holds something else')
}

/** Starts a worker; returns a function that runs copies on it. */
async function copying(times: number) {
  const db = createDb({ url: DATABASE_URL })
  const google = createGoogle({
    db,
    tokens: async () => TOKEN,
    entry: openEntry,
    project: 'bench',
    apiRoot: ROOT,
    quota: { account: 100_000, project: 100_000, window_ms: 61_000 },
    backoff: longBackoff,
    timeLimitMs: 180_000,
  })
  const tables = { [GOOGLE_SHEETS]: googleSheets(db, google) }
  const handler = createCopyHandler({
    google,
    sources: createSources(tables, sourceDeps(db, DATABASE_URL)),
    targets: createTargets(tables),
    pool: createPool({ url: DATABASE_URL }),
    stale_waits_ms: [1_000],
    reconnect_url: '/users',
  })
  const handlers = [handler]
  const log = pino({ level: 'silent' })
  const engine = createEngine({
    db,
    databaseUrl: DATABASE_URL,
    handlers,
    log,
    roles: ['worker', 'scheduler'],
    concurrency: AT_A_TIME,
  })
  return async ({ source, target, preview = false, undo = false, key_column }: Books) => {
    // Another worker that lives would take runs of this one.
    await engine.start()
    const task_ids: number[] = []
    for (const one of target.split(','))
      task_ids.push((await knownTask(one)) ?? (await newTask(source, one, key_column)))
    const began = performance.now()
    let said = ''
    for (let n = 0; n < times; n += 1)
      [said = ''] = await Promise.all(task_ids.map((id) => (undo ? undoLast(id) : run(id, preview))))
    const seconds = (performance.now() - began) / 1000
    await engine.stop()
    return {
      seconds,
      said: times === 1 ? said : `${times} runs, the last: ${said}`,
    }
  }

  async function run(task_id: number, preview: boolean): Promise<string> {
    return ended(
      preview ? await queuePreview(db, handlers, task_id) : runIdOf(await queueRun(db, handlers, task_id)),
    )
  }

  async function undoLast(task_id: number): Promise<string> {
    const plan_id = (await versionsOf(db, task_id))[0]?.id
    const run_id = await queuePreview(db, handlers, task_id, {
      plan_id,
      side: 'former',
      overwrite_edits: false,
    })
    const planned = await ended(run_id)
    const { plan_id: plan } = await previewed(db, run_id)
    return `${planned} ${await ended(runIdOf(await queueRun(db, handlers, task_id, { plan })))}`
  }

  async function ended(run_id: number): Promise<string> {
    for (;;) {
      const { state, message, error } = await db
        .selectFrom('runs')
        .select(['state', 'message', 'error'])
        .where('id', '=', run_id)
        .executeTakeFirstOrThrow()
      if (!['queued', 'running'].includes(state)) return `${state}: ${message ?? error}`
      await delay(20)
    }
  }

  function runIdOf(queued: Awaited<ReturnType<typeof queueRun>>): number {
    if (!queued.ok) throw new Error(`The run was not queued: ${queued.reason}`)
    return queued.run_id
  }

  async function knownTask(target: string): Promise<number | undefined> {
    const task = await db
      .selectFrom('sync_tasks')
      .select('task_id')
      .where('target_ss_id', '=', target)
      .executeTakeFirst()
    return task?.task_id
  }

  async function newTask(source: string, target: string, key_column?: string): Promise<number> {
    const user = await db
      .insertInto('users')
      .values({ issuer: 'bench', subject: target, email: 'ada@example.com', name: 'Ada' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('grants')
      .values({ user_id: user.id, refresh_token: Buffer.from('unused'), key_id: 'bench', scopes: [] })
      .execute()
    const type = await db
      .insertInto('task_types')
      .values({ category: 'sync', name: target, chunk_size: 1000 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = { task_type_id: type.id, sort_order: 1, chunk_size: 1000 }
    const task = await db
      .insertInto('tasks')
      .values({ category: 'sync', name: target, account_user_id: user.id, ...place })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('sync_tasks')
      .values({
        task_id: task.id,
        source_type: 'sheet',
        source_ss_id: source,
        source_sheet_name: 'Table',
        target_ss_id: target,
        target_sheet_name: 'Table',
        // The measured runs replace whole tables.
        limits: JSON.stringify({ removed_percent: 100, emptied_percent: 100 }),
        ...(key_column && { write_mode: 'update', key_columns: JSON.stringify([key_column]) }),
      })
      .execute()
    return task.id
  }
}
