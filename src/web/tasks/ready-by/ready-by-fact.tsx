import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ReadyBy } from '../../../contract/forecast/calls.ts'
import { readyByMessages as messages } from '../../../contract/forecast/client-messages.ts'
import { Fact } from '../page/fact.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { ForecastLine } from './forecast-line.tsx'
import { MoveButton } from './move-button.tsx'
import classes from './ready-by.module.css'
import { readyByQuery, subjectKey } from './ready-by-calls.ts'
import { subjectLabel } from './subject-labels.ts'

const ReadyByDialog = lazy(async () => ({ default: (await import('./ready-by-dialog.tsx')).ReadyByDialog }))

const suffixes: Record<ReadyBy['kind'], (name: string) => string> = {
  task: () => '',
  type: (name) => ` (${messages.type_short(name)})`,
  spreadsheet: (name) => ` (${messages.spreadsheet_short(name)})`,
}

/** The times by which a task, its type and its target have to be ready, with their forecasts; sets and changes them. */
export function ReadyByFact({ task }: { task: Task }) {
  const subjects = useDescriptor().readySubjects(task)
  const query = useQuery(readyByQuery)
  const [open, setOpen] = useState(false)
  const keys = new Set(subjects.map(subjectKey))
  const entries = query.data?.filter((entry) => keys.has(subjectKey(entry))) ?? []
  return (
    <Fact name={messages.title}>
      {query.isError && !query.data && messages.load_failed}
      {entries.length > 0 && (
        <ul className={classes.entries}>
          {entries.map((entry) => (
            <li key={subjectKey(entry)} className={classes.entry}>
              <b>
                {entry.ready_by}
                {suffixes[entry.kind](entry.name)}
              </b>
              <ForecastLine entry={entry} />
              {entry.moves.length > 0 && (
                <p>
                  <MoveButton entry={entry} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {query.data && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
          {entries.length > 0 ? messages.change : messages.set}
        </Button>
      )}
      <Suspense>
        {open && <ReadyByDialog subjects={subjects} labelOf={subjectLabel} onClose={() => setOpen(false)} />}
      </Suspense>
    </Fact>
  )
}
