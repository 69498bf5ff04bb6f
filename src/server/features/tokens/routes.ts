import { tokens } from '../../../contract/tokens/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { createToken, revokeToken } from './commands.ts'
import { listTokens } from './queries.ts'

type Deps = { db: Db }

/** Personal access tokens. */
export const tokensFeature: Feature<typeof tokens, Deps> = {
  calls: tokens,
  handlers: {
    list: ({ user }, { db }) => listTokens(db, user.id),
    create: ({ body, user }, { db }) => createToken(db, user, body),
    revoke: ({ params, user }, { db }) => revokeToken(db, user, params.id),
  },
  constraints: { api_tokens_user_name_key: { error: 'token_name_taken', field: 'name' } },
}
