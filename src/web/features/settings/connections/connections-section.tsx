import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { Connection, ConnectionSettings } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAddress } from '../../../lib/use-address.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { NothingMatches } from '../../../ui/states.tsx'
import { ForAdmins, ListSection } from '../components/list-section.tsx'
import { AllowedHosts } from './allowed-hosts.tsx'
import { connectionsQuery } from './connection-calls.ts'
import { engineNames } from './engine-names.ts'

const DeleteConnectionDialog = lazy(async () => ({
  default: (await import('./delete-connection-dialog.tsx')).DeleteConnectionDialog,
}))

const NEW = '/settings/connections/new'

/** Connections and allowed hosts, for administrators. */
export const ConnectionsSection = () => (
  <ForAdmins id="connections" labels={connectionMessages}>
    <Connections />
    <AllowedHosts />
  </ForAdmins>
)

function Connections() {
  const query = useQuery(connectionsQuery)
  const [leaving, setLeaving] = useState<Connection | null>(null)
  return (
    <>
      <ListSection id="connections" labels={connectionMessages} query={query} add={NEW}>
        {(connections) => <FilteredConnections connections={connections} onDelete={setLeaving} />}
      </ListSection>
      <Suspense>
        {leaving && <DeleteConnectionDialog connection={leaving} onClose={() => setLeaving(null)} />}
      </Suspense>
    </>
  )
}

type TableProps = { connections: Connection[]; onDelete: (connection: Connection) => void }

/** The connections whose name, place or kind match; the filters are in the URL. */
function FilteredConnections({ connections, onDelete }: TableProps) {
  const [params, changeAddress] = useAddress()
  const [typed, setTyped] = useState<string | null>(null)
  const search = params.get('q') ?? ''
  const kinds = [...new Set(connections.map(({ settings }) => kindOf(settings)))].sort()
  const kind = kinds.find((one) => one === params.get('kind')) ?? null
  const set = (name: 'q' | 'kind', value: string | null) =>
    changeAddress((before) => {
      const next = new URLSearchParams(before)
      if (value) next.set(name, value)
      else next.delete(name)
      return next
    })
  const clear = () => {
    setTyped(null)
    set('q', null)
    set('kind', null)
  }
  const wanted = (typed ?? search).trim().toLowerCase()
  const shown = connections.filter(
    ({ name, settings }) =>
      (kind === null || kindOf(settings) === kind) &&
      `${name}\n${placeOf(settings)}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <FilterBar
        search={
          <SearchField
            label={connectionMessages.search}
            placeholder={connectionMessages.search_hint}
            search={search}
            typed={typed}
            onType={setTyped}
            onChange={(text) => set('q', text)}
          />
        }
        count={kind === null ? 0 : 1}
        onClear={search !== '' || kind !== null ? clear : null}
      >
        <Choice
          label="Kind"
          all={connectionMessages.any_kind}
          options={kinds.map((one) => ({ value: one, label: one }))}
          value={kind}
          onChange={(value) => set('kind', value)}
        />
      </FilterBar>
      {shown.length > 0 ? (
        <ConnectionTable connections={shown} onDelete={onDelete} />
      ) : (
        <NothingMatches title={connectionMessages.nothing_matches} onClear={clear} level={3} />
      )}
    </>
  )
}

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
