import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { decisionMessages as messages } from '../../../../contract/decisions/client-messages.ts'
import type { Dispute } from '../../../../contract/decisions/decisions.ts'
import { formatNumber } from '../../../lib/format.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import classes from './decisions.module.css'
import { useDecide } from './use-decide.ts'

type Props = { config_id: number; disputes: readonly Dispute[] }

/** Sources that disagree about a field, each with a button that prefers it. */
export function SourceTable({ config_id, disputes }: Props) {
  const decide = useDecide(config_id)
  return (
    <CardTable
      label={messages.title}
      rows={disputes}
      keyOf={({ field, sources }) => JSON.stringify([field, sources])}
      columns={[
        { label: 'Field', cell: ({ field }) => field },
        {
          label: 'Records',
          place: 'end',
          cell: ({ records, unlisted }) => (
            <>
              {formatNumber(records)}
              {unlisted > 0 && <div className={classes.note}>{messages.unlisted(unlisted)}</div>}
            </>
          ),
        },
        {
          label: 'Always prefer',
          place: 'wide',
          cell: ({ field, sources, decision }) => (
            <ul className={classes.options}>
              {sources.map(({ source_task_id, name }) => {
                const isChosen = decision?.source?.source_task_id === source_task_id
                return (
                  <li key={source_task_id}>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={messages.prefer(name, field)}
                      aria-pressed={isChosen}
                      leftSection={isChosen ? <IconCheck size={15} aria-hidden /> : undefined}
                      disabled={decide.isPending}
                      onClick={() => decide.mutate({ decide: { sources: [{ field, source_task_id }] } })}
                    >
                      {name}
                    </Button>
                  </li>
                )
              })}
            </ul>
          ),
        },
      ]}
    />
  )
}
