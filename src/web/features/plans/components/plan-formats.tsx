import type { Plan } from '../../../../contract/plans/calls.ts'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import classes from './plan-summary.module.css'

const { format_columns: labels } = messages

/** The number formats that a plan changes, by column; nothing if there are none. */
export function PlanFormats({ summary: { format_changes } }: Pick<Plan, 'summary'>) {
  if (format_changes.length === 0) return null
  return (
    <section className={classes.formats} aria-label={messages.formats}>
      <h2 className="heading">{messages.formats}</h2>
      <CardTable
        label={messages.formats}
        columns={[
          {
            label: labels.column,
            cell: ({ column, header }) => (
              <>
                <span className={classes.letter}>{column}</span> {header}
              </>
            ),
          },
          { label: labels.old, cell: ({ old }) => old ?? messages.unknown_format },
          { label: labels.new, cell: ({ new: wanted }) => wanted },
        ]}
        rows={format_changes}
        keyOf={({ column, old, new: wanted }) => JSON.stringify([column, old, wanted])}
      />
    </section>
  )
}
