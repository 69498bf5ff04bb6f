import { approvals } from '../../../contract/approvals/calls.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { approve, type Decisions, reject } from './commands.ts'
import { listApprovals, listDecisions } from './queries.ts'

type Deps = { db: Db; handlers: readonly RunHandler[]; decisions: Decisions }

/** What needs an approval, of any kind. */
export const approvalsFeature: Feature<typeof approvals, Deps> = {
  calls: approvals,
  handlers: {
    list: async (_, { db }) => ({ ...(await listApprovals(db)), decisions: await listDecisions(db) }),
    approve: ({ params, body, user, session, signal }, deps) =>
      approve(deps, { ...params, ...body, actor: user, right: session.right, signal }),
    reject: ({ params, body, user, session }, deps) =>
      reject(deps, { ...params, ...body, actor: user, right: session.right }),
  },
}
