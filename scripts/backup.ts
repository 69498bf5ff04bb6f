import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { writeBackup } from '../src/server/platform/backup/write-backup.ts'
import { onDatabase } from './own-database.ts'

// Writes the database except sessions to a signed file. Works while Rowferry is running: npm run backup FILE
const [name] = process.argv.slice(2)
if (name === undefined) {
  console.error('usage: npm run backup FILE')
  process.exit(2)
}
// npm changes the working directory; INIT_CWD is the original one.
const file = resolve(process.env.INIT_CWD ?? '.', name)
const program = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version

await onDatabase(
  async (url, { secretKey }) => {
    const keys = deriveKeys(secretKey)
    const onTable = (table: string) => console.log(`Writing ${table} …`)
    const { rows } = await writeBackup({ url, file, program, keys, onTable })
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    console.log(`${file} holds ${total.toLocaleString('en')} rows of ${Object.keys(rows).length} tables.`)
    console.log(
      `It is signed under SECRET_KEY (${keys.grantsKeyId}), which is not in the file: store it elsewhere. Without the key the file cannot be restored, and Google grants cannot be decrypted.`,
    )
    return 0
  },
  { whileRunning: true },
)
