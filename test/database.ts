import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Client, Pool } from 'pg'
import { beforeEach, inject } from 'vitest'
import { createDb } from '../src/server/platform/db.ts'
import type { Database } from '../src/server/platform/schema.ts'
import { cleanUpAfterEachFile } from './clean-up.ts'

/** A database of a test's own, migrated and empty. */
export type TestDatabase = {
  url: string
  db: Kysely<Database>
  /** Runs a statement in it that the application's role may not. */
  asAdmin: (statement: string) => Promise<void>
  /** Closes `db` and removes the database; done after the file in any case. Throws if others use it, after `seconds` (120). */
  drop: (seconds?: number) => Promise<void>
}

const open = new Set<TestDatabase>()

/** Clones the migrated template. It is dropped after the test file unless the test did it before. */
export async function testDatabase(): Promise<TestDatabase> {
  const { postgresUrl, adminUrl, template } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files costs a quarter of what it costs to log each page that is copied.
  await onServer(postgresUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(postgresUrl)
  url.pathname = name
  const db = createDb({ url: url.href })
  const database: TestDatabase = {
    url: url.href,
    db,
    asAdmin: async (statement) => {
      const inside = new URL(adminUrl)
      inside.pathname = name
      const admin = new Client({ connectionString: inside.href })
      await admin.connect()
      try {
        await admin.query(statement)
      } finally {
        await admin.end()
      }
    },
    // A connection that was closed is gone at once, but on a machine that is busy with other things.
    drop: async (seconds = 120) => {
      if (!open.delete(database)) return
      await db.destroy()
      const left = await connectionsLeft(postgresUrl, name, seconds)
      // As administrator: what PostgreSQL does in it of itself is ended by nobody else.
      await onServer(adminUrl, `drop database ${name} with (force)`)
      if (left.length) throw new Error(`The test left connections open: ${left.join(', ')}`)
    },
  }
  open.add(database)
  return database
}

/** How many statements wait for a lock that another transaction has. */
export async function lockWaits(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/** The database of the test that runs: each test of the calling file has one of its own. */
export function databasePerTest(): Pick<TestDatabase, 'db' | 'url'> {
  let current: TestDatabase | undefined
  beforeEach(async () => {
    current = await testDatabase()
  })
  const database = () => {
    if (!current) throw new Error('There is no database before the first test')
    return current
  }
  return {
    get db() {
      return database().db
    },
    get url() {
      return database().url
    },
  }
}

cleanUpAfterEachFile(async () => {
  for (const database of open) await database.drop()
})

/** The last statements of the connections that are still open after so long: of a pool or an engine nobody ended. */
async function connectionsLeft(postgresUrl: string, database: string, seconds: number): Promise<string[]> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const { rows } = await onServer(
      postgresUrl,
      `select query from pg_stat_activity where datname = '${database}' and backend_type = 'client backend'`,
    )
    if (rows.length === 0 || Date.now() > deadline) return rows.map(({ query }) => query)
    await sleep(20)
  }
}

const servers = new Map<string, Pool>()

/** Runs a statement beside the databases of tests, on connections that stay open for the next one. */
function onServer(url: string, statement: string) {
  let server = servers.get(url)
  if (!server) {
    server = new Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // The server may end before this process does.
    server.on('error', () => {})
    servers.set(url, server)
  }
  return server.query<{ query: string }>(statement)
}
