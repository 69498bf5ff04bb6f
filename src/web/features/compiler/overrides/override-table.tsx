import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import type { Override } from '../../../../contract/overrides/overrides.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatDay, formatMoment } from '../../../lib/time-zone.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'
import { cutText } from '../records/cut-text.ts'
import { recordsPath } from '../records/record-filters.ts'
import classes from './overrides.module.css'

const states: Record<Override['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  review: { label: 'For review', tone: 'warning' },
  ended: { label: 'Ended', tone: 'neutral' },
}

type Decision = 'keep' | 'drop' | 'restore'

const done: Record<Decision, string> = {
  keep: overrideMessages.kept,
  drop: overrideMessages.dropped,
  restore: overrideMessages.restored,
}

type Props = { config_id: number; overrides: readonly Override[] }

/** Overrides with their state and what can be decided about them. */
export function OverrideTable({ config_id, overrides }: Props) {
  const zone = useTimeZone()
  return (
    <CardTable
      label={overrideMessages.title}
      rows={overrides}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'SKU',
          cell: ({ sku }) => (
            <Link className={classes.sku} to={recordPath(config_id, sku)}>
              {cutText(sku)}
            </Link>
          ),
        },
        { label: 'Field', cell: ({ field }) => field },
        {
          label: 'Value',
          cell: ({ value }) =>
            value === null ? <Badge tone="light" label="Blank" /> : cutText(String(value)),
        },
        {
          label: 'Set',
          place: 'wide',
          cell: ({ author, reason, created_at, ends_on }) => (
            <>
              <div>{overrideMessages.by(author, formatMoment(created_at, zone))}</div>
              {ends_on && <div>{overrideMessages.until(formatDay(ends_on, 'UTC'))}</div>}
              {reason && <div className={classes.note}>{reason}</div>}
            </>
          ),
        },
        { label: 'State', place: 'wide', cell: (override) => <State override={override} /> },
        {
          label: 'Decide',
          place: 'wide',
          cell: (override) => <Decisions config_id={config_id} override={override} />,
        },
      ]}
    />
  )
}

const recordPath = (config_id: number, sku: string) =>
  `${recordsPath(config_id)}&${new URLSearchParams({ record: sku })}`

/** The state of an override, and which sources have changed. */
export function State({ override }: { override: Pick<Override, 'state' | 'note' | 'changes'> }) {
  const { state, note, changes } = override
  return (
    <>
      <Badge {...states[state]} />
      <div className={classes.note}>{note}</div>
      {changes.map(({ name, from, to }) => (
        <div key={name} className={classes.note}>
          {overrideMessages.change(name, from, to)}
        </div>
      ))}
    </>
  )
}

/** Buttons that keep, drop or restore an override. */
export function Decisions({
  config_id,
  override: { id, state, end_reason, sku, field },
}: {
  config_id: number
  override: Pick<Override, 'id' | 'state' | 'end_reason' | 'sku' | 'field'>
}) {
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (decision: Decision) =>
      call(compilerOverrides.review, { params: { id: config_id }, body: { ids: [id], decision } }),
    onSuccess: (_, decision) => toast.success(done[decision]),
    onError: (error) => toast.error(reasonOf(error, overrideMessages.decide_failed)),
    onSettled: () => recordsChanged(client, config_id),
  })
  const button = (decision: Decision, label: string) => (
    <Button
      size="xs"
      variant="default"
      aria-label={`${label} ${field} of ${sku}`}
      loading={decide.isPending}
      onClick={() => decide.mutate(decision)}
    >
      {label}
    </Button>
  )
  return (
    <span className={classes.decisions}>
      {state === 'review' && button('keep', 'Keep')}
      {state !== 'ended' && button('drop', 'Drop')}
      {end_reason === 'dropped' && button('restore', 'Restore')}
    </span>
  )
}
