import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { buildSandbox } from './app.ts'
import { writeSqliteFile } from './demo/sqlite-file.ts'

const environment = z
  .object({
    SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
    DATA_DIR: z.string().min(1).default('./data'),
    HOST: z.string().min(1).default('127.0.0.1'),
    /** Folder for the demo database. Omitted: none is created. */
    SQLITE_FOLDER: z.string().min(1).optional(),
  })
  .safeParse(process.env)
if (!environment.success) {
  console.error(z.prettifyError(environment.error))
  process.exit(1)
}

process.title = 'rowferry sandbox'
// Only this user may read the journal.
process.umask(0o077)
const { SANDBOX_PORT: port, DATA_DIR: dataDir, HOST: host, SQLITE_FOLDER: sqliteFolder } = environment.data
await mkdir(join(dataDir, 'sandbox'), { recursive: true })
await chmod(join(dataDir, 'sandbox'), 0o700)
if (sqliteFolder) writeSqliteFile(sqliteFolder)
const app = await buildSandbox({ dataDir })
const stop = async () => {
  await app.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
console.log(`Sandbox is ready at ${await app.listen({ port, host })}`)
