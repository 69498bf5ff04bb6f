import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrate } from '../src/server/platform/migrate.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { testFolder } from './folders.ts'

/** A database as it was before a migration, for a test to fill; `upgrade` brings it up to that migration. */
export async function databaseBefore(
  version: number,
): Promise<TestDatabase & { upgrade: () => Promise<void> }> {
  const database = await testDatabase()
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  const folder = await testFolder()
  const files = (await readdir('sql')).filter((name) => name.endsWith('.sql'))
  const copy = (wanted: (number: number) => boolean) =>
    Promise.all(
      files
        .filter((name) => wanted(Number(name.slice(0, 4))))
        .map((name) => copyFile(join('sql', name), join(folder, name))),
    )
  await copy((number) => number < version)
  await migrate({ url: database.url, folder })
  return {
    ...database,
    upgrade: async () => {
      await copy((number) => number === version)
      await migrate({ url: database.url, folder })
    },
  }
}
