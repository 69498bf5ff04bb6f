import { serviceAccount } from '../../../contract/service-account/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { changeServiceAccountUse } from './commands.ts'
import { readServiceAccount } from './queries.ts'

type Deps = {
  db: Db
  /** Address of the configured service account; null if there is none. */
  address: string | null
}

/** Permission of tasks to use the service account. */
export const serviceAccountFeature: Feature<typeof serviceAccount, Deps> = {
  calls: serviceAccount,
  handlers: {
    read: (_, { db, address }) => readServiceAccount(db, address),
    allow: async ({ body, user }, { db, address }) => {
      await changeServiceAccountUse(db, user, address, body)
      return readServiceAccount(db, address)
    },
  },
}
