import { users } from '../../../contract/users.ts'
import type { Db } from '../../engine/types.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { disableUser, shareGrant } from './commands.ts'
import { listUsers, readUser } from './queries.ts'

type Deps = { db: Db }

/** The members of the team. */
export const usersFeature: Feature<typeof users, Deps> = {
  calls: users,
  handlers: {
    list: (_, { db }) => listUsers(db),
    shareGrant: async ({ body, user }, { db }) => {
      await shareGrant(db, user, body.shares_grant)
      return readUser(db, user.id)
    },
    disable: async ({ params, body, user }, { db }) => {
      await disableUser(db, user, params.id, body.is_disabled)
      return readUser(db, params.id)
    },
  },
}
