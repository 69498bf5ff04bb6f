import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { compilerDecisions } from '../../../../contract/decisions/calls.ts'
import { decisionMessages as messages } from '../../../../contract/decisions/client-messages.ts'
import type { Decision } from '../../../../contract/decisions/decisions.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'
import { cutText } from '../records/cut-text.ts'
import classes from './decisions.module.css'

type Props = { config_id: number; rules: readonly Decision[] }

/** Rules with what they decided in the last compile, each with a button that removes it. */
export function RuleTable({ config_id, rules }: Props) {
  const zone = useTimeZone()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: number) =>
      call(compilerDecisions.remove, { params: { id: config_id }, body: { ids: [id] } }),
    onSuccess: ({ removed }) => toast.success(messages.removed(removed)),
    onError: (error) => toast.error(reasonOf(error, messages.remove_failed)),
    onSettled: () => recordsChanged(client, config_id),
  })
  return (
    <CardTable
      label="Rules"
      rows={rules}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Rule', cell: ({ sentence }) => cutText(sentence) },
        {
          label: 'Set',
          cell: ({ author, created_at, reason }) => (
            <>
              <div>{messages.by(author, formatMoment(created_at, zone))}</div>
              {reason && <div className={classes.note}>{reason}</div>}
            </>
          ),
        },
        {
          label: 'Last compile',
          cell: ({ records }) => (records === null ? messages.not_yet : messages.applied(records)),
        },
        {
          label: 'Actions',
          place: 'end',
          cell: ({ id, sentence }) => (
            <Button
              size="xs"
              variant="default"
              aria-label={`Remove the rule ${sentence}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(id)}
            >
              Remove
            </Button>
          ),
        },
      ]}
    />
  )
}
