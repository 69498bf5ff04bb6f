import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { connections } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { SettingsSection } from '../components/settings-section.tsx'
import classes from './allowed-hosts.module.css'
import { hostsQuery } from './connection-calls.ts'

const RemoveHostDialog = lazy(async () => ({
  default: (await import('./remove-host-dialog.tsx')).RemoveHostDialog,
}))

/** The hosts that connections may reach. */
export function AllowedHosts() {
  const client = useQueryClient()
  const query = useQuery(hostsQuery)
  const [host, setHost] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<string | null>(null)
  const allow = useMutation({
    mutationFn: () => call(connections.allowHost, { body: { host } }),
    onSuccess: (entry) => {
      toast.success(connectionMessages.allowed(entry.host))
      setHost('')
      return client.invalidateQueries(hostsQuery)
    },
    onError: (error) => setProblem(reasonOf(error, connectionMessages.allow_failed)),
  })
  return (
    <SettingsSection
      id="hosts"
      title={connectionMessages.hosts}
      hint={connectionMessages.hosts_hint}
      actions={null}
    >
      <form
        className={classes.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (host.trim() === '') setProblem(connectionMessages.host_required)
          else allow.mutate()
        }}
      >
        <TextInput
          aria-label={connectionMessages.host_label}
          description={connectionMessages.host_form}
          placeholder={connectionMessages.host_placeholder}
          inputMode="url"
          value={host}
          error={problem}
          onChange={(event) => {
            setHost(event.currentTarget.value)
            setProblem(null)
          }}
        />
        <Button type="submit" variant="default" loading={allow.isPending}>
          Allow
        </Button>
      </form>
      {query.isError && (
        <LoadError message={connectionMessages.fetch_hosts_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={2} label="Loading allowed hosts" />}
      {query.data?.length === 0 && <p className={classes.none}>{connectionMessages.hosts_none}</p>}
      {query.data && query.data.length > 0 && (
        <CardTable
          label={connectionMessages.hosts}
          keyOf={(entry) => entry.host}
          rows={query.data}
          columns={[
            { label: 'Host', cell: (entry) => entry.host },
            { label: 'Added by', cell: ({ added_by }) => added_by },
            {
              label: 'Actions',
              place: 'corner',
              cell: (entry) => (
                <ActionIcon
                  aria-label={`Remove ${entry.host}`}
                  title="Remove"
                  onClick={() => setLeaving(entry.host)}
                >
                  <IconTrash size={17} />
                </ActionIcon>
              ),
            },
          ]}
        />
      )}
      <Suspense>{leaving && <RemoveHostDialog host={leaving} onClose={() => setLeaving(null)} />}</Suspense>
    </SettingsSection>
  )
}
