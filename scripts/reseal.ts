import { existsSync } from 'node:fs'
import { resealConnections } from '../src/server/platform/auth/connection-secrets.ts'
import { resealGrants } from '../src/server/platform/auth/grants.ts'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { readConfig } from '../src/server/platform/config.ts'
import { createDb } from '../src/server/platform/db.ts'
import { ConfigError } from '../src/server/platform/environment.ts'
import { LockedError } from '../src/server/platform/file-lock.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'

// After SECRET_KEY was changed: seals anew what SECRET_KEY_OLD sealed, so that the old key can be forgotten.
try {
  if (existsSync('.env')) process.loadEnvFile('.env')
  process.exit(await reseal())
} catch (error) {
  if (error instanceof LockedError) console.error('Stop Rowferry first: its own database is in use.')
  else console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}

async function reseal(): Promise<number> {
  const { databaseUrl, dataDir, secretKey, secretKeyOld } = readConfig(process.env)
  const embedded = databaseUrl ? null : await startPostgres({ dataDir })
  const db = createDb({ url: databaseUrl ?? embedded?.url ?? '', max: 1 })
  try {
    const keys = deriveKeys(secretKey, secretKeyOld)
    const grants = await resealGrants(db, keys)
    const connections = await resealConnections(db, keys)
    const resealed = grants.resealed + connections.resealed
    const unreadable = grants.unreadable + connections.unreadable
    console.log(`Sealed again under SECRET_KEY: ${resealed}`)
    if (unreadable === 0) {
      console.log('Nothing is left that another key sealed: SECRET_KEY_OLD can be removed.')
      return 0
    }
    console.error(
      `Opened by neither key: ${unreadable}. Set SECRET_KEY_OLD to the key that sealed them; or let these people (${grants.unreadable}) sign in again, and enter the secrets of these connections (${connections.unreadable}) anew.`,
    )
    return 1
  } finally {
    await db.destroy()
    await embedded?.stop()
  }
}
