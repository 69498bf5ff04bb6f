import { sql } from 'kysely'
import { alarmMessages as messages } from '../../../../contract/alarm-messages.ts'
import {
  isAddressOf,
  type WebhookCreate,
  type WebhookFormat,
  type WebhookUpdate,
} from '../../../../contract/webhooks.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Keys } from '../../../platform/auth/keys.ts'
import { openWebhook, sealWebhook } from '../../../platform/auth/webhook-secrets.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

type Deps = { db: Db; keys: Keys }
type Settings = Omit<WebhookCreate, 'url' | 'signing_key'>

const hostOf = (format: WebhookFormat, url: string) => {
  if (format === 'mail' && isAddressOf(format, url)) return url
  const parsed = isAddressOf(format, url) ? URL.parse(url) : null
  if (parsed === null || parsed.username !== '' || parsed.password !== '')
    throw new NamedError('invalid', { message: messages.address_invalid, field: 'url' })
  return parsed.host
}

function columnsOf({ name, format, kinds, categories, task_type_ids, tells_end, ...rest }: Settings) {
  const { quiet_from, quiet_to, is_active } = rest
  if ((quiet_from === null) !== (quiet_to === null))
    throw new NamedError('invalid', { message: messages.quiet_both, field: 'quiet_from' })
  return { name, format, kinds, categories, task_type_ids, tells_end, quiet_from, quiet_to, is_active }
}

/** Adds a webhook; returns its id. Throws NamedError `invalid`; a name that is taken is `webhook_name_taken`. */
export async function createWebhook(
  { db, keys }: Deps,
  actor: Actor,
  { url, signing_key, ...settings }: WebhookCreate,
): Promise<number> {
  const host = hostOf(settings.format, url)
  return db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('webhooks')
      .values({ ...columnsOf(settings), host, sealed: Buffer.alloc(0), key_id: '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const secrets = sealWebhook(keys, id, { url, signing_key })
    await trx.updateTable('webhooks').set(secrets).where('id', '=', id).execute()
    const details = { name: settings.name, host }
    await audit(trx, actor, { action: 'create', object_type: 'webhook', object_id: id, details })
    return id
  })
}

/** Changes a webhook; its address and key stay where none are given. Throws NamedError `webhook_not_found`, `stale_update` or `invalid`. */
export async function updateWebhook(
  { db, keys }: Deps,
  actor: Actor,
  id: number,
  { url, signing_key, updated_at, ...settings }: WebhookUpdate,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('webhooks')
      .select(['host', 'sealed', 'updated_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw new NamedError('webhook_not_found')
    if (row.updated_at.toISOString() !== updated_at) throw new NamedError('stale_update')
    const known = openWebhook(keys, id, row.sealed)
    if (url === null && known === undefined)
      throw new NamedError('invalid', { message: messages.address_unreadable, field: 'url' })
    const host = hostOf(settings.format, url ?? known?.url ?? '')
    // A key is not for another receiver.
    const kept = host === row.host ? (known?.signing_key ?? null) : null
    const secrets = { url: url ?? known?.url ?? '', signing_key: signing_key ?? kept }
    await trx
      .updateTable('webhooks')
      .set({ ...columnsOf(settings), host, ...sealWebhook(keys, id, secrets), updated_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    const details = { name: settings.name, host }
    await audit(trx, actor, { action: 'update', object_type: 'webhook', object_id: id, details })
  })
}

/** Deletes a webhook. Throws NamedError `webhook_not_found`. */
export async function deleteWebhook(db: Db, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const gone = await trx.deleteFrom('webhooks').where('id', '=', id).returning('name').executeTakeFirst()
    if (gone === undefined) throw new NamedError('webhook_not_found')
    const details = { name: gone.name }
    await audit(trx, actor, { action: 'delete', object_type: 'webhook', object_id: id, details })
  })
}
