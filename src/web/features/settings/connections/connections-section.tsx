import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { Connection, ConnectionSettings } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { formatNumber } from '../../../lib/format.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { ForAdmins, ListSection } from '../components/list-section.tsx'
import { AllowedHosts } from './allowed-hosts.tsx'
import { connectionsQuery } from './connection-calls.ts'
import { engineNames } from './engine-names.ts'

const DeleteConnectionDialog = lazy(async () => ({
  default: (await import('./delete-connection-dialog.tsx')).DeleteConnectionDialog,
}))

const NEW = '/settings/connections/new'

/** Connections and the hosts that they may reach, for those who keep them. */
export const ConnectionsSection = () => (
  <ForAdmins labels={connectionMessages}>
    <Connections />
    <AllowedHosts />
  </ForAdmins>
)

function Connections() {
  const query = useQuery(connectionsQuery)
  const [leaving, setLeaving] = useState<Connection | null>(null)
  return (
    <>
      <ListSection labels={connectionMessages} query={query} add={NEW}>
        {(connections) => <ConnectionTable connections={connections} onDelete={setLeaving} />}
      </ListSection>
      <Suspense>
        {leaving && <DeleteConnectionDialog connection={leaving} onClose={() => setLeaving(null)} />}
      </Suspense>
    </>
  )
}

type TableProps = { connections: Connection[]; onDelete: (connection: Connection) => void }

const ConnectionTable = ({ connections, onDelete }: TableProps) => (
  <CardTable
    label={connectionMessages.title}
    keyOf={({ id }) => id}
    rows={connections}
    columns={[
      { label: 'Name', cell: ({ name }) => name },
      { label: 'Kind', cell: ({ settings }) => kindOf(settings) },
      { label: 'Reads from', cell: ({ settings }) => placeOf(settings) },
      { label: 'Tasks', cell: ({ tasks_count }) => formatNumber(tasks_count), place: 'end' },
      {
        label: 'Actions',
        place: 'corner',
        cell: (connection) => (
          <>
            <ActionIcon
              component={Link}
              to={`/settings/connections/${connection.id}`}
              aria-label={`Edit ${connection.name}`}
              title="Edit"
            >
              <IconPencil size={17} />
            </ActionIcon>
            <ActionIcon
              aria-label={`Delete ${connection.name}`}
              title="Delete"
              onClick={() => onDelete(connection)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </>
        ),
      },
    ]}
  />
)

const kindOf = (settings: ConnectionSettings) =>
  settings.kind === 'api' ? 'HTTP API' : engineNames[settings.engine]

function placeOf(settings: ConnectionSettings): string {
  if (settings.kind === 'api') return settings.url
  if (settings.engine === 'sqlite') return settings.file
  const { host, port, database } = settings
  return `${host}${port === null ? '' : `:${port}`} / ${database}`
}
