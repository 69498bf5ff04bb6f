import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/fixtures/database.ts'
import { testFolder } from '../../test/fixtures/folders.ts'
import { startNode, until } from '../../test/processes/processes.ts'
import { freePort } from './platform/free-port.ts'
import { migrate } from './platform/migrate.ts'

it('waits for the first migration without a stack trace, and starts once it is done', async () => {
  const { url, db } = await testDatabase()
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  const port = await freePort()
  const process = startNode(['src/server/main.ts'], {
    DATABASE_URL: url,
    DATA_DIR: await testFolder(),
    PORT: String(port),
    LOG_LEVEL: 'debug',
  })
  const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json()
  await process.printed(/"msg":"Started"/)
  expect(await readiness()).toEqual({
    status: 'not ready',
    checks: { database: 'ok', migrations: 'failed', queue: 'failed' },
  })
  await process.printed(/The engine waits: Migrations are missing: 1, 2/)
  // Twice, since each part retries on its own.
  await process.printed(/The engine waits[\s\S]*The engine waits/)
  expect(process.output()).not.toMatch(/"stack"|\n\s+at /)
  await migrate({ url })
  await until('it is ready', async () => (await readiness()).status === 'ready')
  await process.end()
})
