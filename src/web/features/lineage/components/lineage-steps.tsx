// biome-ignore-all lint/suspicious/noArrayIndexKey: steps never move
import type { LineageStep, SourceValue } from '../../../../contract/lineage/calls.ts'
import { lineageMessages as messages } from '../../../../contract/lineage/client-messages.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CardTable, type Column } from '../../../ui/card-table.tsx'
import classes from './lineage.module.css'
import { Place, RunLink, TaskLink } from './links.tsx'

const tones: Record<SourceValue['state'], Tone> = {
  chosen: 'success',
  value: 'neutral',
  blank: 'light',
  no_column: 'light',
  no_row: 'light',
  gone: 'warning',
}

/** The way of a value, from the target to its origin. */
export const LineageSteps = ({ steps }: { steps: readonly LineageStep[] }) => (
  <section aria-label={messages.way}>
    <h3>{messages.way}</h3>
    <ol className={classes.steps}>
      {steps.map((step, n) => (
        <li key={n} className={`${classes.card} ${classes.step}`}>
          <Step step={step} />
        </li>
      ))}
    </ol>
  </section>
)

function Step({ step: { kind, text, task, run, place, record, notes } }: { step: LineageStep }) {
  return (
    <>
      {place && (
        <div className={classes.place}>
          <Place place={place} />
        </div>
      )}
      {task && run ? (
        <p className={classes.muted}>
          {messages.by[kind]} <TaskLink task={task} />, <RunLink run={run} />
        </p>
      ) : (
        <p>{text}</p>
      )}
      {record && <p>{record.rule}</p>}
      {notes.map((note) => (
        <p key={note} className={classes.muted}>
          {note}
        </p>
      ))}
      {record && record.sources.length > 0 && <Sources sources={record.sources} />}
    </>
  )
}

/** What each source has for a field of a record. */
const Sources = ({ sources }: { sources: readonly SourceValue[] }) => (
  <div className={classes.sources}>
    <CardTable label={messages.sources} columns={columns} rows={sources} keyOf={({ task_id }) => task_id} />
  </div>
)

const columns: [Column<SourceValue>, ...Column<SourceValue>[]] = [
  {
    label: messages.source,
    cell: ({ task_id: id, name }) => <TaskLink task={{ category: 'source', id, name }} />,
  },
  { label: messages.value, cell: ({ value, number_format }) => cellText(value, number_format) },
  { label: messages.use, cell: ({ state }) => <Badge tone={tones[state]} label={messages.states[state]} /> },
  { label: messages.place, cell: ({ place }) => place && <Place place={place} />, place: 'wide' },
]
