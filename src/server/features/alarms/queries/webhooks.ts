import { z } from 'zod'
import { AlarmKind, type Webhook, WebhookFormat } from '../../../../contract/alarms/calls.ts'
import { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import type { Keys } from '../../../platform/auth/keys.ts'
import { openWebhook } from '../../../platform/auth/webhook-secrets.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

type Deps = { db: Db; keys: Keys }

/** Lists all webhooks by name. */
export async function listWebhooks({ db, keys }: Deps): Promise<Webhook[]> {
  const rows = await db.selectFrom('webhooks').selectAll().orderBy('name').execute()
  return rows.map(({ sealed, key_id: _, created_at: __, last_sent_at, updated_at, ...row }) => ({
    ...row,
    format: WebhookFormat.parse(row.format),
    kinds: z.array(AlarmKind).parse(row.kinds),
    categories: z.array(TaskCategory).parse(row.categories),
    is_signed: (openWebhook(keys, row.id, sealed)?.signing_key ?? null) !== null,
    last_sent_at: last_sent_at?.toISOString() ?? null,
    updated_at: updated_at.toISOString(),
  }))
}

/** Reads one webhook. Throws NamedError `webhook_not_found`. */
export async function readWebhook(deps: Deps, id: number): Promise<Webhook> {
  const webhook = (await listWebhooks(deps)).find((one) => one.id === id)
  if (webhook === undefined) throw new NamedError('webhook_not_found')
  return webhook
}
