import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { restoreBackup } from '../src/server/platform/backup/restore-backup.ts'
import { onDatabase } from './own-database.ts'

// Restores a file of `npm run backup` into an empty database that is not in use: npm run restore FILE
const USAGE = `usage: npm run restore -- [--keep-tokens] [--unsigned] FILE
  --keep-tokens  API tokens of then go on; otherwise they are revoked
  --unsigned     take a backup of version 0.1.0, which carries no signature: only where you know who made it`

const { file: name, ...options } = readArguments()
const file = resolve(process.env.INIT_CWD ?? '.', name)

await onDatabase(
  async (url, { secretKey, secretKeyOld }) => {
    const keys = deriveKeys(secretKey, secretKeyOld)
    const onTable = (table: string) => console.log(`Reading ${table} …`)
    const { rows, left_out, sealed_by_others } = await restoreBackup({ url, file, keys, onTable, ...options })
    const { api_tokens = 0, sessions = 0, ...others } = left_out
    for (const [table, count] of Object.entries(others))
      console.log(`Skipped unknown table: ${JSON.stringify(table)}, ${count} rows.`)
    if (api_tokens > 0) console.log(`Revoked: ${api_tokens} API tokens (--keep-tokens keeps them).`)
    if (sessions > 0) console.log(`Ended: ${sessions} sessions.`)
    if (sealed_by_others > 0)
      console.log(
        `${sealed_by_others} grants, connections and webhooks are encrypted with another key than SECRET_KEY: run npm run reseal, which reports whether SECRET_KEY_OLD decrypts them.`,
      )
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    console.log(
      `${total.toLocaleString('en')} rows restored. Rowferry can be started; all users have to sign in again.`,
    )
    return 0
  },
  { mayBeNew: true },
)

function readArguments(): { file: string; keepTokens: boolean; allowUnsigned: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'keep-tokens': { type: 'boolean' }, unsigned: { type: 'boolean' } },
    })
    const [file] = positionals
    if (file !== undefined && positionals.length === 1)
      return { file, keepTokens: values['keep-tokens'] === true, allowUnsigned: values.unsigned === true }
  } catch {
    // Unknown option: falls through to the usage.
  }
  console.error(USAGE)
  process.exit(2)
}
