import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { readyByMessages as messages } from '../../../contract/forecast/client-messages.ts'
import { ForecastLine } from './forecast-line.tsx'
import { MoveButton } from './move-button.tsx'
import classes from './ready-by.module.css'
import { type ReadySubject, readyByQuery, subjectKey } from './ready-by-calls.ts'
import { subjectLabel } from './subject-labels.ts'

const ReadyByDialog = lazy(async () => ({ default: (await import('./ready-by-dialog.tsx')).ReadyByDialog }))

/** The time by which one subject has to be ready, with its forecast; sets and changes it. Not to be placed in a form. */
export function ReadyByBar({ subject }: { subject: ReadySubject }) {
  const query = useQuery(readyByQuery)
  const [open, setOpen] = useState(false)
  const entry = query.data?.find((one) => subjectKey(one) === subjectKey(subject))
  return (
    <section className={classes.bar} aria-label={messages.title}>
      <span>
        <b>
          {messages.title} {entry?.ready_by}
        </b>{' '}
        {entry && <ForecastLine entry={entry} />}
        {query.data && !entry && messages.none}
        {query.isError && !query.data && messages.load_failed}
      </span>
      {entry && entry.moves.length > 0 && <MoveButton entry={entry} />}
      {query.data && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
          {entry ? messages.change : messages.set}
        </Button>
      )}
      <Suspense>
        {open && <ReadyByDialog subjects={[subject]} labelOf={subjectLabel} onClose={() => setOpen(false)} />}
      </Suspense>
    </section>
  )
}
