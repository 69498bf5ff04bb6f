import { rightForAction, tasksBulk } from '../../../contract/bulk/calls.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { refuseBeyond } from '../../platform/http/guard.ts'
import { actOnTasks } from './commands/act.ts'
import { idempotencyKey } from './commands/bulk-call.ts'
import { undoBulkCall } from './commands/undo.ts'
import { readBulkCall } from './queries/bulk-call.ts'
import { readLeaving } from './queries/leaving.ts'
import { type Quota, readQuotaTime } from './queries/quota-time.ts'

type Deps = { db: Db; handlers: readonly RunHandler[]; quota: Quota }

/** Actions on several sync and source tasks. */
export const bulkFeature: Feature<typeof tasksBulk, Deps> = {
  calls: tasksBulk,
  handlers: {
    act: ({ body, user, session, headers }, { db, handlers }) => {
      if (session.right !== undefined) refuseBeyond(session.right, rightForAction(body.action))
      const idempotency_key = idempotencyKey(headers['idempotency-key'])
      return actOnTasks({ db, handlers, actor: user, idempotency_key }, body)
    },
    get: ({ params, user }, { db }) => readBulkCall(db, user, params.id),
    leaving: ({ user }, { db }) => readLeaving(db, user),
    undo: ({ params, user }, { db }) => undoBulkCall(db, user, params.id),
    quotaTime: ({ body }, { db, quota }) => readQuotaTime(db, quota, body.ids),
  },
}
