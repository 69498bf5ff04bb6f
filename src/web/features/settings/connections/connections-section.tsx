import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { connectionMessages as messages } from '../../../../contract/connection-page-messages.ts'
import type { Connection, ConnectionSettings } from '../../../../contract/connections.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { SettingsSection } from '../components/settings-section.tsx'
import { AllowedHosts } from './allowed-hosts.tsx'
import { connectionsQuery } from './connection-calls.ts'
import classes from './connections-section.module.css'
import { engineNames } from './engine-names.ts'

const DeleteConnectionDialog = lazy(async () => ({
  default: (await import('./delete-connection-dialog.tsx')).DeleteConnectionDialog,
}))

const NEW = '/settings/connections/new'

/** Connections and the hosts that they may reach, for those who keep them. */
export function ConnectionsSection() {
  const is_admin = useSession()?.is_admin
  if (is_admin === undefined) return null
  if (!is_admin)
    return (
      <SettingsSection title={messages.title} hint={messages.admins_only} actions={null}>
        {null}
      </SettingsSection>
    )
  return (
    <>
      <Connections />
      <AllowedHosts />
    </>
  )
}

function Connections() {
  const query = useQuery(connectionsQuery)
  const [leaving, setLeaving] = useState<Connection | null>(null)
  const has_some = query.data !== undefined && query.data.length > 0
  return (
    <SettingsSection
      title={messages.title}
      hint={messages.hint}
      actions={
        has_some && (
          <Button
            component={Link}
            to={NEW}
            variant="default"
            leftSection={<IconPlus size={17} aria-hidden />}
          >
            {messages.add}
          </Button>
        )
      }
    >
      {query.isError && <LoadError message={messages.fetch_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={3} label="Loading connections" />}
      {query.data?.length === 0 && (
        <EmptyState title={messages.none_yet} hint={messages.none_yet_hint} level={3}>
          <Button component={Link} to={NEW}>
            {messages.add}
          </Button>
        </EmptyState>
      )}
      {has_some && (
        <CardTable
          label={messages.title}
          keyOf={({ id }) => id}
          rows={query.data}
          columns={[
            { label: 'Name', cell: ({ name }) => name },
            { label: 'Kind', cell: ({ settings }) => kindOf(settings) },
            { label: 'Reads from', cell: ({ settings }) => placeOf(settings) },
            { label: 'Tasks', cell: ({ tasks_count }) => formatNumber(tasks_count), place: 'end' },
            {
              label: 'Actions',
              place: 'corner',
              cell: (connection) => (
                <span className={classes.actions}>
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
                    onClick={() => setLeaving(connection)}
                  >
                    <IconTrash size={17} />
                  </ActionIcon>
                </span>
              ),
            },
          ]}
        />
      )}
      <Suspense>
        {leaving && <DeleteConnectionDialog connection={leaving} onClose={() => setLeaving(null)} />}
      </Suspense>
    </SettingsSection>
  )
}

const kindOf = (settings: ConnectionSettings) =>
  settings.kind === 'api' ? 'HTTP API' : engineNames[settings.engine]

function placeOf(settings: ConnectionSettings): string {
  if (settings.kind === 'api') return settings.url
  if (settings.engine === 'sqlite') return settings.file
  const { host, port, database } = settings
  return `${host}${port === null ? '' : `:${port}`} / ${database}`
}
