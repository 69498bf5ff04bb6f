import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { createDb } from '../src/server/platform/db.ts'
import type { Database } from '../src/server/platform/schema.ts'

/** A database of a test's own, migrated and empty. */
export type TestDatabase = {
  url: string
  db: Kysely<Database>
  /** Closes `db`, cuts every other connection and removes the database; done after the file in any case. */
  drop: () => Promise<void>
}

const open = new Set<TestDatabase>()

/** Clones the migrated template, in some 20 ms. It is dropped after the test file unless the test did it before. */
export async function testDatabase(): Promise<TestDatabase> {
  const { postgresUrl, template } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(postgresUrl, `create database ${name} template ${template}`)
  const url = new URL(postgresUrl)
  url.pathname = name
  const db = createDb({ url: url.href })
  const database: TestDatabase = {
    url: url.href,
    db,
    drop: async () => {
      if (!open.delete(database)) return
      await db.destroy()
      await onServer(postgresUrl, `drop database ${name} with (force)`)
    },
  }
  open.add(database)
  return database
}

afterAll(async () => {
  for (const database of open) await database.drop()
})

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
