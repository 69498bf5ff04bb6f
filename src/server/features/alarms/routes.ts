import { webhooks } from '../../../contract/alarms/calls.ts'
import { alarmMessages } from '../../../contract/alarms/client-messages.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { deliver, type SendDeps } from './commands/send.ts'
import { createWebhook, deleteWebhook, type RefusalOfHost, updateWebhook } from './commands/webhooks.ts'
import { listWebhooks, readWebhook } from './queries/webhooks.ts'

/** Webhooks that receive alarms. */
export const webhooksFeature: Feature<typeof webhooks, SendDeps & { refusalOfHost: RefusalOfHost }> = {
  calls: webhooks,
  handlers: {
    list: (_, deps) => listWebhooks(deps),
    create: async ({ body, user }, deps) => readWebhook(deps, await createWebhook(deps, user, body)),
    update: async ({ params, body, user }, deps) => {
      await updateWebhook(deps, user, params.id, body)
      return readWebhook(deps, params.id)
    },
    delete: ({ params, user }, { db }) => deleteWebhook(db, user, params.id),
    test: async ({ params }, deps) => {
      await readWebhook(deps, params.id)
      const sent = await deliver(deps, params.id, [])
      return { ok: sent.ok, message: sent.ok ? alarmMessages.test_arrived : sent.reason }
    },
  },
  constraints: { webhooks_name_key: { error: 'webhook_name_taken', field: 'name' } },
}
