import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pino from 'pino'
import { z } from 'zod'
import { syncTasks } from '../src/contract/sync-tasks/calls.ts'
import { listSyncTasks } from '../src/server/features/sync-tasks/queries/tasks.ts'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { openSession } from '../src/server/platform/auth/sessions.ts'
import { readConfig } from '../src/server/platform/config.ts'
import { createDb, createPool } from '../src/server/platform/db.ts'
import { createServer } from '../src/server/platform/http/create-server.ts'
import { sessionCookie } from '../src/server/platform/http/guard.ts'
import { mount } from '../src/server/platform/http/mount.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { aUser } from '../test/fixtures/factories.ts'

const ROUNDS = 3
const SECONDS = 4
const CONNECTIONS = 8
const ZONE = 'America/New_York'

const Load = z.object({ per_second: z.number(), p99_ms: z.number() })
/** Replies per second and 99th percentile of the response times. */
export type Load = z.infer<typeof Load>

/**
 * Measures a page of 400 tasks, and a bare route of the same server that checks the session, runs the same queries and sends their
 * rows. Both alternate; returns the medians.
 */
export async function listAgainstBareRoute(databaseUrl: string): Promise<{ list: Load; bare: Load }> {
  const db = createDb({ url: databaseUrl })
  const pool = createPool({ url: databaseUrl })
  const config = readConfig({ DATABASE_URL: databaseUrl, SECRET_KEY: 'only for this bench, long enough' })
  const app = await createServer({
    config,
    db,
    keys: deriveKeys(config.secretKey),
    log: pino({ level: 'silent' }),
    rateLimits: {
      strict_per_minute: 1_000_000,
      general_per_10_seconds: 1_000_000,
      token_per_minute: 1_000_000,
    },
  })
  try {
    const queries = await queriesOfList(databaseUrl)
    const calls = { list: syncTasks.list }
    const list = ({ query }: { query: { page: number; limit: number } }) =>
      listSyncTasks(db, { ...query, zone: ZONE })
    mount(app, { calls, handlers: { list } }, {})
    app.get('/bare', async (_request, reply) => {
      const rows = []
      for (const { sql, parameters } of queries) rows.push((await pool.query(sql, [...parameters])).rows)
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(rows))
    })
    const root = await app.listen({ host: '127.0.0.1', port: 0 })
    const cookie = `${sessionCookie(false)}=${await openSession(db, (await aUser(db)).id)}`
    return await takeTurns(root, cookie)
  } finally {
    await app.close()
    await db.destroy()
    await pool.end()
  }
}

async function takeTurns(root: string, cookie: string): Promise<{ list: Load; bare: Load }> {
  const [list, bare]: [Load[], Load[]] = [[], []]
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    bare.push(await load(`${root}/bare`, cookie))
    list.push(await load(root + syncTasks.list.path, cookie))
  }
  return { list: median(list.slice(1)), bare: median(bare.slice(1)) }
}

/** The queries that the list executes. */
async function queriesOfList(url: string): Promise<CompiledQuery[]> {
  const asked: CompiledQuery[] = []
  const dialect = new PostgresDialect({ pool: createPool({ url }) })
  const listening = new Kysely<Database>({ dialect, log: ({ query }) => void asked.push(query) })
  await listSyncTasks(listening, { page: 1, limit: 400, zone: ZONE })
  await listening.destroy()
  return asked
}

// In a separate process, so that client and server do not share a thread.
async function load(url: string, cookie: string): Promise<Load> {
  const program = join(import.meta.dirname, 'http-load.ts')
  const args = [program, url, cookie, String(SECONDS), String(CONNECTIONS)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Load.parse(JSON.parse(stdout))
}

function median(loads: Load[]): Load {
  const sorted = loads.toSorted((a, b) => a.per_second - b.per_second)
  return Load.parse(sorted[Math.floor(sorted.length / 2)])
}
