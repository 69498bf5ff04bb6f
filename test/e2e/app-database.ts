import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { z } from 'zod'
import type { Database } from '../../src/server/platform/schema.ts'
import { quickestFolder } from '../quickest-folder.ts'

const Record = z.object({ password: z.string(), port: z.number() })

/**
 * The database of the app under test, for rows that no call makes: of all that run here the one that knows this task type.
 * The caller ends it. Throws when none does.
 */
export async function appDatabase(typeId: number, typeName: string): Promise<Kysely<Database>> {
  const root = await quickestFolder()
  for (const folder of await readdir(root)) {
    if (!folder.startsWith('rowferry-e2e-')) continue
    const db = await opened(join(root, folder))
    const known = await db
      ?.selectFrom('task_types')
      .select('id')
      .where('id', '=', typeId)
      .where('name', '=', typeName)
      .execute()
      // left over by a run that was cut off
      .catch(() => [])
    if (db && known?.length) return db
    await db?.destroy()
  }
  throw new Error(`No running app knows the task type ${typeName}`)
}

async function opened(dataDir: string): Promise<Kysely<Database> | null> {
  const text = await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => null)
  const record = text === null ? null : Record.safeParse(JSON.parse(text)).data
  if (!record) return null
  const connectionString = `postgresql://rowferry:${record.password}@127.0.0.1:${record.port}/rowferry`
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString, max: 1 }) }),
  })
}
