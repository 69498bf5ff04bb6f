import { z } from 'zod'
import type { Db } from '../db.ts'
import { type Keys, open } from './keys.ts'
import { seal } from './seal.ts'

const Secrets = z.object({ url: z.string(), signing_key: z.nullable(z.string()) })
/** The write-only values of a webhook. */
export type WebhookSecrets = z.infer<typeof Secrets>

const contextOf = (id: number) => `webhook ${id}`

/** Sealed for this webhook only. */
export const sealWebhook = (keys: Keys, id: number, secrets: WebhookSecrets) => ({
  sealed: seal(keys.connections, JSON.stringify(secrets), contextOf(id)),
  key_id: keys.grantsKeyId,
})

/** A webhook's address and key; undefined when neither SECRET_KEY nor SECRET_KEY_OLD opens them. */
export function openWebhook(keys: Keys, id: number, sealed: Buffer): WebhookSecrets | undefined {
  const text = open(keys, 'connections', sealed, contextOf(id))
  return text === undefined ? undefined : Secrets.parse(JSON.parse(text))
}

/** Re-seals under SECRET_KEY what another key sealed; counts those, and those that no key opens. */
export async function resealWebhooks(db: Db, keys: Keys): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 }
  await db.transaction().execute(async (trx) => {
    const foreign = await trx
      .selectFrom('webhooks')
      .select(['id', 'sealed'])
      .where('key_id', '<>', keys.grantsKeyId)
      .forUpdate()
      .execute()
    for (const { id, sealed } of foreign) {
      const secrets = openWebhook(keys, id, sealed)
      if (secrets === undefined) {
        counts.unreadable += 1
        continue
      }
      counts.resealed += 1
      await trx
        .updateTable('webhooks')
        .set(sealWebhook(keys, id, secrets))
        .where('id', '=', id)
        .execute()
    }
  })
  return counts
}
