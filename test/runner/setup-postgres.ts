import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { LockedError, lockFile, UnsafeLockError } from '../../src/server/platform/file-lock.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { startPostgres } from '../../src/server/platform/postgres/start-postgres.ts'
import { quickestFolder } from './quickest-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `adminUrl` is for statements that the application's role may not execute. */
    postgres: { postgresUrl: string; adminUrl: string; template: string }
  }
}

const PREFIX = 'rowferry-test-'
const TEMPLATE = 'rowferry_template'

// The data is deleted after the run, so nothing has to be durable.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '400',
  shared_buffers: '128MB',
  max_wal_size: '256MB',
  // By default, authentication would take longer than opening each of about ten thousand connections.
  scram_iterations: '1',
}

/** Starts the PostgreSQL server of the test run and migrates the template that `testDatabase()` clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await quickestFolder()
  await removeLeftOvers(folder)
  const dataDir = await mkdtemp(join(folder, PREFIX))
  await chmod(dataDir, 0o711)
  const server = await startPostgres({ dataDir, settings: SETTINGS })
  // Tests use the application's role, which additionally needs to create databases.
  await query(server.adminUrl, 'alter role rowferry createdb')
  await query(server.url, `create database ${TEMPLATE}`)
  const url = new URL(server.url)
  url.pathname = TEMPLATE
  await migrate({ url: url.href })
  project.provide('postgres', { postgresUrl: server.url, adminUrl: server.adminUrl, template: TEMPLATE })
  return async () => {
    await server.destroy()
    await rm(dataDir, { recursive: true })
  }
}

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Removes the folders of killed test runs: older than an hour and not locked. */
async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const dataDir = join(folder, name)
    if (!name.startsWith(PREFIX) || (await stat(dataDir)).mtimeMs > Date.now() - 3_600_000) continue
    try {
      lockFile(join(dataDir, 'postgres/lock')).release()
    } catch (error) {
      // In use, or created by an earlier version.
      if (error instanceof LockedError || error instanceof UnsafeLockError) continue
      throw error
    }
    await rm(dataDir, { recursive: true })
  }
}
