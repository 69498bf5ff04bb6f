import { users } from '../../../contract/users/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { type DisconnectGoogle, disableUser, disconnectGoogle, shareGrant } from './commands.ts'
import { listUsers, readUser } from './queries.ts'

type Deps = { db: Db; disconnect: DisconnectGoogle }

/** Users. */
export const usersFeature: Feature<typeof users, Deps> = {
  calls: users,
  handlers: {
    list: (_, { db }) => listUsers(db),
    shareGrant: async ({ body, user }, { db }) => {
      await shareGrant(db, user, body.shares_grant)
      return readUser(db, user.id)
    },
    disconnect: async ({ params, user }, deps) => {
      await disconnectGoogle(deps, user, params.id)
      return readUser(deps.db, params.id)
    },
    disable: async ({ params, body, user }, deps) => {
      await disableUser(deps, user, params.id, body.is_disabled)
      return readUser(deps.db, params.id)
    },
  },
}
