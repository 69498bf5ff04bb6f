import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { alarmMessages as messages } from '../../../../contract/alarm-messages.ts'
import { type Webhook, webhooks } from '../../../../contract/webhooks.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useSession, useTimeZone } from '../../../lib/session.ts'
import { formatInZone } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { SettingsSection } from '../components/settings-section.tsx'
import classes from './alarms.module.css'
import { webhooksQuery } from './webhook-calls.ts'

const WebhookDialog = lazy(async () => ({ default: (await import('./webhook-dialog.tsx')).WebhookDialog }))

const DeleteWebhookDialog = lazy(async () => ({
  default: (await import('./delete-webhook-dialog.tsx')).DeleteWebhookDialog,
}))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; webhook: Webhook }

/** Webhooks that are told what is not well, for those who keep them. */
export function AlarmsSection() {
  const is_admin = useSession()?.is_admin
  if (is_admin === undefined) return null
  if (is_admin) return <Alarms />
  return (
    <SettingsSection title={messages.title} hint={messages.admins_only} actions={null}>
      {null}
    </SettingsSection>
  )
}

function Alarms() {
  const query = useQuery(webhooksQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const add = () => setOpen({ kind: 'add' })
  const has_some = query.data !== undefined && query.data.length > 0
  return (
    <SettingsSection
      title={messages.title}
      hint={messages.hint}
      actions={
        has_some && (
          <Button variant="default" leftSection={<IconPlus size={17} aria-hidden />} onClick={add}>
            {messages.add}
          </Button>
        )
      }
    >
      {query.isError && <LoadError message={messages.fetch_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={2} label="Loading webhooks" />}
      {query.data?.length === 0 && (
        <EmptyState title={messages.none_yet} hint={messages.none_yet_hint} level={3}>
          <Button onClick={add}>{messages.add}</Button>
        </EmptyState>
      )}
      {has_some && <WebhookTable webhooks={query.data} onOpen={setOpen} />}
      <Suspense>
        {open?.kind === 'add' && <WebhookDialog webhook={null} onClose={close} />}
        {open?.kind === 'edit' && <WebhookDialog webhook={open.webhook} onClose={close} />}
        {open?.kind === 'delete' && <DeleteWebhookDialog webhook={open.webhook} onClose={close} />}
      </Suspense>
    </SettingsSection>
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
          label: 'Told of',
          cell: ({ kinds }) => kinds.map((kind) => messages.kinds[kind]).join(', '),
          place: 'wide',
        },
        { label: 'Last message', cell: (webhook) => <LastMessage webhook={webhook} /> },
        {
          label: 'Actions',
          place: 'corner',
          cell: (webhook) => (
            <span className={classes.actions}>
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
            </span>
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
