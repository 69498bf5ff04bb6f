import { ActionIcon } from '@mantine/core'
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Webhook, webhooks } from '../../../../contract/alarms/calls.ts'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatInZone } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { toast } from '../../../ui/toast.ts'
import { ForAdmins, ListSection } from '../components/list-section.tsx'
import { webhooksQuery } from './webhook-calls.ts'

const WebhookDialog = lazy(async () => ({ default: (await import('./webhook-dialog.tsx')).WebhookDialog }))

const DeleteWebhookDialog = lazy(async () => ({
  default: (await import('./delete-webhook-dialog.tsx')).DeleteWebhookDialog,
}))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; webhook: Webhook }

/** Alarms, for administrators. */
export const AlarmsSection = () => (
  <ForAdmins id="alarms" labels={messages}>
    <Alarms />
  </ForAdmins>
)

function Alarms() {
  const query = useQuery(webhooksQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <ListSection id="alarms" labels={messages} query={query} add={() => setOpen({ kind: 'add' })}>
        {(webhooks) => <WebhookTable webhooks={webhooks} onOpen={setOpen} />}
      </ListSection>
      <Suspense>
        {open?.kind === 'add' && <WebhookDialog webhook={null} onClose={close} />}
        {open?.kind === 'edit' && <WebhookDialog webhook={open.webhook} onClose={close} />}
        {open?.kind === 'delete' && <DeleteWebhookDialog webhook={open.webhook} onClose={close} />}
      </Suspense>
    </>
  )
}

function WebhookTable({ webhooks: all, onOpen }: { webhooks: Webhook[]; onOpen: (open: Open) => void }) {
  const client = useQueryClient()
  const trial = useMutation({
    mutationFn: ({ id }: Webhook) => call(webhooks.test, { params: { id } }),
    onSuccess: ({ ok, message }) => (ok ? toast.success(message) : toast.error(message)),
    onError: (error) => toast.error(reasonOf(error, messages.test_failed)),
    onSettled: () => client.invalidateQueries(webhooksQuery),
  })
  return (
    <CardTable
      label={messages.title}
      keyOf={({ id }) => id}
      rows={all}
      columns={[
        { label: 'Name', cell: ({ name }) => name },
        { label: 'Sends to', cell: ({ format, host }) => `${messages.formats[format]}, ${host}` },
        {
          label: 'Notifies about',
          cell: ({ kinds }) => kinds.map((kind) => messages.kinds[kind]).join(', '),
          place: 'wide',
        },
        { label: 'Last message', cell: (webhook) => <LastMessage webhook={webhook} /> },
        {
          label: 'Actions',
          place: 'corner',
          cell: (webhook) => (
            <>
              <ActionIcon
                aria-label={`Test ${webhook.name}`}
                title="Test"
                loading={trial.isPending && trial.variables.id === webhook.id}
                onClick={() => trial.mutate(webhook)}
              >
                <IconSend size={17} />
              </ActionIcon>
              <ActionIcon
                aria-label={`Edit ${webhook.name}`}
                title="Edit"
                onClick={() => onOpen({ kind: 'edit', webhook })}
              >
                <IconPencil size={17} />
              </ActionIcon>
              <ActionIcon
                aria-label={`Delete ${webhook.name}`}
                title="Delete"
                onClick={() => onOpen({ kind: 'delete', webhook })}
              >
                <IconTrash size={17} />
              </ActionIcon>
            </>
          ),
        },
      ]}
    />
  )
}

function LastMessage({ webhook: { is_active, last_error, last_sent_at } }: { webhook: Webhook }) {
  const zone = useTimeZone()
  if (!is_active) return <Badge tone="neutral" label={messages.inactive} />
  if (last_error !== null) return <Badge tone="error" label={last_error} />
  if (last_sent_at === null) return messages.never_sent
  return <time dateTime={last_sent_at}>{formatInZone(last_sent_at, zone)}</time>
}
