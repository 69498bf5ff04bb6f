import { sql } from 'kysely'
import {
  isAddressOf,
  type WebhookCreate,
  type WebhookFormat,
  type WebhookUpdate,
} from '../../../../contract/alarms/calls.ts'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Keys } from '../../../platform/auth/keys.ts'
import { openWebhook, sealWebhook } from '../../../platform/auth/webhook-secrets.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

/** Returns a message that says why the host of this URL is refused, or null if it is allowed. */
export type RefusalOfHost = (url: URL) => Promise<string | null>

type Deps = { db: Db; keys: Keys; refusalOfHost: RefusalOfHost }
type Settings = Omit<WebhookCreate, 'url' | 'signing_key'>

/** The destination as it is displayed: the whole mail address, or only the host of a URL. Throws NamedError `invalid`. */
function placeOf(format: WebhookFormat, text: string): { host: string; url: URL | null } {
  if (format === 'mail' && isAddressOf(format, text)) return { host: text, url: null }
  const url = isAddressOf(format, text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.password !== '')
    throw new NamedError('invalid', { message: messages.address_invalid, field: 'url' })
  return { host: url.host, url }
}

/** Like placeOf, for an address that a user enters. Also throws NamedError `host_not_allowed`. */
async function enteredPlace({ refusalOfHost }: Deps, format: WebhookFormat, text: string): Promise<string> {
  const { host, url } = placeOf(format, text)
  const message = url && (await refusalOfHost(url))
  if (message !== null)
    throw new NamedError('host_not_allowed', { message: messages.host_refused(message), field: 'url' })
  return host
}

function columnsOf({ name, format, kinds, categories, task_type_ids, tells_end, ...rest }: Settings) {
  const { quiet_from, quiet_to, is_active } = rest
  if ((quiet_from === null) !== (quiet_to === null))
    throw new NamedError('invalid', { message: messages.quiet_both, field: 'quiet_from' })
  return { name, format, kinds, categories, task_type_ids, tells_end, quiet_from, quiet_to, is_active }
}

/**
 * Adds a webhook and returns its id. Throws NamedError `invalid` or `host_not_allowed`; a duplicate name fails as
 * `webhook_name_taken`.
 */
export async function createWebhook(
  deps: Deps,
  actor: Actor,
  { url, signing_key, ...settings }: WebhookCreate,
): Promise<number> {
  const { db, keys } = deps
  const host = await enteredPlace(deps, settings.format, url)
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

/**
 * Updates a webhook. Address and key are kept if the body omits them. An unchanged address is not validated again, so a webhook
 * whose host was removed from the allow list can still be disabled. Throws NamedError `webhook_not_found`, `stale_update`,
 * `invalid` or `host_not_allowed`.
 */
export async function updateWebhook(
  deps: Deps,
  actor: Actor,
  id: number,
  { url, signing_key, updated_at, ...settings }: WebhookUpdate,
): Promise<void> {
  const { db, keys } = deps
  const entered = url === null ? null : await enteredPlace(deps, settings.format, url)
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
    const host = entered ?? placeOf(settings.format, known?.url ?? '').host
    // A signing key is never sent to another host.
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
