import { resealConnections } from '../src/server/platform/auth/connection-secrets.ts'
import { resealGrants } from '../src/server/platform/auth/grants.ts'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { resealWebhooks } from '../src/server/platform/auth/webhook-secrets.ts'
import { createDb } from '../src/server/platform/db.ts'
import { onDatabase } from './own-database.ts'

// Run after SECRET_KEY was changed: encrypts secrets of SECRET_KEY_OLD with the new key, so that the old key can be removed.
await onDatabase(async (url, { secretKey, secretKeyOld }) => {
  const db = createDb({ url, max: 1 })
  try {
    const keys = deriveKeys(secretKey, secretKeyOld)
    const grants = await resealGrants(db, keys)
    const connections = await resealConnections(db, keys)
    const webhooks = await resealWebhooks(db, keys)
    const all = [grants, connections, webhooks]
    const resealed = all.reduce((sum, one) => sum + one.resealed, 0)
    const unreadable = all.reduce((sum, one) => sum + one.unreadable, 0)
    console.log(`Sealed again under SECRET_KEY: ${resealed}`)
    if (unreadable === 0) {
      console.log('Nothing is left that another key sealed: SECRET_KEY_OLD can be removed.')
      return 0
    }
    console.error(
      `Opened by neither key: ${unreadable}. Set SECRET_KEY_OLD to the key that sealed them; or let these people (${grants.unreadable}) sign in again, and enter the secrets of these connections (${connections.unreadable}) and the addresses of these webhooks (${webhooks.unreadable}) anew.`,
    )
    return 1
  } finally {
    await db.destroy()
  }
})
