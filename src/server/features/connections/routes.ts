import { connections } from '../../../contract/connections/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { createConnection } from './commands/create.ts'
import { deleteConnection } from './commands/delete.ts'
import { allowHost, refuseHost } from './commands/hosts.ts'
import type { ConnectionDeps } from './commands/settings.ts'
import { testConnection } from './commands/test.ts'
import { updateConnection } from './commands/update.ts'
import { connectionNames, listConnections, listHosts, readConnection } from './queries.ts'

/** Connections and the allow list of hosts. */
export const connectionsFeature: Feature<typeof connections, ConnectionDeps> = {
  calls: connections,
  handlers: {
    names: (_, { db }) => connectionNames(db),
    list: (_, { db }) => listConnections(db),
    create: async ({ body, user }, deps) => readConnection(deps.db, await createConnection(deps, user, body)),
    update: async ({ params, body, user }, deps) => {
      await updateConnection(deps, user, params.id, body)
      return readConnection(deps.db, params.id)
    },
    delete: ({ params, user }, { db }) => deleteConnection(db, user, params.id),
    test: ({ body, user, signal }, deps) => testConnection(deps, user, body, signal),
    hosts: (_, { db }) => listHosts(db),
    allowHost: ({ body, user }, deps) => allowHost(deps, user, body.host),
    refuseHost: ({ body, user }, { db }) => refuseHost(db, user, body.host),
  },
  constraints: {
    connections_name_key: { error: 'connection_name_taken', field: 'name' },
  },
}
