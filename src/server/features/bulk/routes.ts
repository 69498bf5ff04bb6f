import { rightForAction, tasksBulk } from '../../../contract/bulk/calls.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { refuseBeyond } from '../../platform/http/guard.ts'
import { actOnTasks } from './commands/act.ts'
import { type Quota, readQuotaTime } from './queries/quota-time.ts'

type Deps = { db: Db; handlers: readonly RunHandler[]; quota: Quota }

/** Actions on several sync and source tasks. */
export const bulkFeature: Feature<typeof tasksBulk, Deps> = {
  calls: tasksBulk,
  handlers: {
    act: ({ body, user, session }, { db, handlers }) => {
      if (session.right !== undefined) refuseBeyond(session.right, rightForAction(body.action))
      return actOnTasks({ db, handlers, actor: user }, body)
    },
    quotaTime: ({ body }, { db, quota }) => readQuotaTime(db, quota, body.ids),
  },
}
