import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { connectionMessages as messages } from '../../../../contract/connection-page-messages.ts'
import { connections } from '../../../../contract/connections.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { SettingsSection } from '../components/settings-section.tsx'
import classes from './allowed-hosts.module.css'
import { hostsQuery } from './connection-calls.ts'

const RefuseHostDialog = lazy(async () => ({
  default: (await import('./refuse-host-dialog.tsx')).RefuseHostDialog,
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
      toast.success(messages.allowed(entry.host))
      setHost('')
      return client.invalidateQueries(hostsQuery)
    },
    onError: (error) => setProblem(reasonOf(error, messages.allow_failed)),
  })
  return (
    <SettingsSection title={messages.hosts} hint={messages.hosts_hint} actions={null}>
      <form
        className={classes.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (host.trim() === '') setProblem(messages.host_required)
          else allow.mutate()
        }}
      >
        <TextInput
          aria-label={messages.host_label}
          description={messages.host_form}
          placeholder={messages.host_placeholder}
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
      {query.isError && <LoadError message={messages.fetch_hosts_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={2} label="Loading allowed hosts" />}
      {query.data?.length === 0 && <p className={classes.none}>{messages.hosts_none}</p>}
      {query.data && query.data.length > 0 && (
        <CardTable
          label={messages.hosts}
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
      <Suspense>{leaving && <RefuseHostDialog host={leaving} onClose={() => setLeaving(null)} />}</Suspense>
    </SettingsSection>
  )
}
