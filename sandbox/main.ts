import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { buildSandbox } from './app.ts'
import { writeSqliteFile } from './demo/sqlite-file.ts'
import { writeSupplierWorkbook } from './demo/supplier-workbook.ts'

const environment = z
  .object({
    SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
    DATA_DIR: z.string().min(1).default('./data'),
    HOST: z.string().min(1).default('127.0.0.1'),
    /** Folder for the demo database. Omitted: none is created. */
    SQLITE_FOLDER: z.string().min(1).optional(),
    /** Folder for the demo workbook. Omitted: none is created. */
    DEMO_FILES_FOLDER: z.string().min(1).optional(),
  })
  .safeParse(process.env)
if (!environment.success) {
  console.error(z.prettifyError(environment.error))
  process.exit(1)
}

process.title = 'rowferry sandbox'
// Only this user may read the journal.
process.umask(0o077)
const { SANDBOX_PORT: port, DATA_DIR: dataDir, HOST: host } = environment.data
const { SQLITE_FOLDER: sqliteFolder, DEMO_FILES_FOLDER: filesFolder } = environment.data
await mkdir(join(dataDir, 'sandbox'), { recursive: true })
await chmod(join(dataDir, 'sandbox'), 0o700)
if (sqliteFolder) writeSqliteFile(sqliteFolder)
if (filesFolder) writeSupplierWorkbook(filesFolder)
const app = await buildSandbox({ dataDir })
const stop = async () => {
  await app.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
console.log(`Sandbox is ready at ${await app.listen({ port, host })}`)
