import { resolve } from 'node:path'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { restoreBackup } from '../src/server/platform/backup/restore-backup.ts'
import { onDatabase } from './own-database.ts'

// What `npm run backup` has written, into an empty database that nobody uses: npm run restore FILE
const [name] = process.argv.slice(2)
if (name === undefined) {
  console.error('usage: npm run restore FILE')
  process.exit(2)
}
const file = resolve(process.env.INIT_CWD ?? '.', name)

await onDatabase(
  async (url, { secretKey, secretKeyOld }) => {
    const keys = deriveKeys(secretKey, secretKeyOld)
    const key_ids = [keys, keys.old].flatMap((key) => (key ? [key.grantsKeyId] : []))
    const onTable = (table: string) => console.log(`Reading ${table} …`)
    const { rows } = await restoreBackup({ url, file, key_ids, onTable })
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    console.log(`${total.toLocaleString('en')} rows are back. Rowferry can be started.`)
    return 0
  },
  { mayBeNew: true },
)
