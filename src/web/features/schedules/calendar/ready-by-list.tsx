import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { readyByMessages as messages } from '../../../../contract/forecast/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { zoneLabel } from '../../../lib/time-zone.ts'
import { ForecastLine } from '../../../tasks/ready-by/forecast-line.tsx'
import { MoveButton } from '../../../tasks/ready-by/move-button.tsx'
import {
  type ReadySubject,
  readyByQuery,
  subjectKey,
  subjectOf,
} from '../../../tasks/ready-by/ready-by-calls.ts'
import { subjectLabel } from '../../../tasks/ready-by/subject-labels.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { LoadError } from '../../../ui/states.tsx'
import { entryPath } from './entry-labels.ts'
import classes from './ready-by-list.module.css'

const ReadyByDialog = lazy(async () => ({
  default: (await import('../../../tasks/ready-by/ready-by-dialog.tsx')).ReadyByDialog,
}))
const NewReadyByDialog = lazy(async () => ({
  default: (await import('./new-ready-by-dialog.tsx')).NewReadyByDialog,
}))

/** All times by which something has to be ready, with their forecasts and what would help late ones. */
export function ReadyByList() {
  const zone = useTimeZone()
  const query = useQuery(readyByQuery)
  const [open, setOpen] = useState<ReadySubject | 'new' | null>(null)
  const close = () => setOpen(null)
  if (query.isPending) return null
  const entries = query.data ?? []
  return (
    <section className={classes.section} aria-label={messages.title}>
      <div className={classes.head}>
        <h2>{messages.title}</h2>
        <Button variant="default" size="xs" onClick={() => setOpen('new')}>
          {messages.add}
        </Button>
      </div>
      {query.isError && !query.data && (
        <LoadError message={reasonOf(query.error, messages.load_failed)} onRetry={() => query.refetch()} />
      )}
      {query.data?.length === 0 && (
        <p className={classes.hint}>
          {messages.empty} {messages.empty_hint}
        </p>
      )}
      {entries.length > 0 && (
        <CardTable
          label={messages.title}
          rows={entries}
          keyOf={subjectKey}
          columns={[
            {
              label: 'Name',
              cell: (entry) => (
                <span className={classes.name}>
                  <Link to={pathOf(entry)}>{entry.name}</Link>
                  <small>{messages.kind[entry.kind]}</small>
                </span>
              ),
            },
            { label: 'Ready By', cell: ({ ready_by }) => `${ready_by} ${zoneLabel(zone)}` },
            { label: 'Forecast', place: 'wide', cell: (entry) => <ForecastLine entry={entry} /> },
            {
              label: 'Suggestion',
              place: 'wide',
              cell: (entry) => entry.suggestion && <MoveButton entry={entry} />,
            },
            {
              label: 'Actions',
              place: 'corner',
              cell: (entry) => (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={messages.change_of(entry.name)}
                  onClick={() => setOpen(subjectOf(entry))}
                >
                  {messages.change}
                </Button>
              ),
            },
          ]}
        />
      )}
      <Suspense>
        {open === 'new' && <NewReadyByDialog onClose={close} />}
        {open !== null && open !== 'new' && (
          <ReadyByDialog subjects={[open]} labelOf={labelOf} onClose={close} />
        )}
      </Suspense>
    </section>
  )
}

const labelOf = (subject: ReadySubject) => (subject.kind === 'task' ? subject.name : subjectLabel(subject))

/** Page or list where the schedules of a subject are edited. */
function pathOf({ kind, category, id, name }: ReadyBy): string {
  if (kind === 'spreadsheet') return `/sync_tasks?q=${encodeURIComponent(name)}`
  if (kind === 'task' && category === 'compiler') return '/compiler'
  return entryPath({ kind, category, id, name })
}
