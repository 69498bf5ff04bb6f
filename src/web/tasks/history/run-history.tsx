import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Run } from '../../../contract/runs/calls.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { formatNumber } from '../../lib/format.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../lib/time-zone.ts'
import { CardTable } from '../../ui/card-table.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { useRunModel } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import classes from './run-history.module.css'
import { askedBy, attemptsText, durationText, outcomeOf, rowsText } from './run-labels.ts'
import { RunStatus } from './run-status.tsx'
import { runsQuery } from './runs-query.ts'

/** Runs of a task, newest first; refetched when its status changes. */
export function RunHistory({ task, task_id = task.id }: { task: Pick<Task, 'id'>; task_id?: number }) {
  const query = useInfiniteQuery(runsQuery(useRunModel(), task.id))
  const runs = query.data?.pages.flatMap((page) => page.runs) ?? []
  return (
    <section className={classes.history} aria-labelledby="runs">
      <div className={classes.head}>
        <h2 id="runs">Runs</h2>
        <Link to={`/runs?task=${task_id}`}>{taskMessages.all_runs_of_task}</Link>
      </div>
      {query.isPending && <LoadingRows rows={3} label="Loading the runs" />}
      {query.data && runs.length === 0 && <EmptyState level={3} title={taskMessages.no_runs} />}
      {runs.length > 0 && <RunTable runs={runs} />}
      {query.isError && (
        <LoadError
          message={reasonOf(query.error, taskMessages.fetch_runs_failed)}
          onRetry={() => (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        />
      )}
      {query.hasNextPage && !query.isError && (
        <Button
          variant="default"
          fullWidth
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          Show older runs
        </Button>
      )}
    </section>
  )
}

const RunTable = ({ runs }: { runs: Run[] }) => (
  <CardTable
    label="Runs"
    keyOf={({ id }) => id}
    rows={runs}
    columns={[
      {
        label: 'Queued',
        cell: ({ queued_at }) => <Queued iso={queued_at} />,
      },
      { label: 'Status', cell: (run) => <RunStatus run={run} /> },
      { label: 'Requested by', cell: askedBy },
      { label: 'Attempts', cell: attemptsText },
      { label: 'Duration', cell: durationText, place: 'end' },
      { label: 'Rows', cell: rowsText, place: 'end' },
      {
        label: 'Requests',
        cell: ({ requests }) => (requests === null ? '–' : formatNumber(requests)),
        place: 'end',
      },
      { label: 'Result', cell: (run) => <Outcome run={run} /> },
    ]}
  />
)

function Queued({ iso }: { iso: string }) {
  const zone = useTimeZone()
  return (
    <time className={classes.moment} dateTime={iso} title={formatLongMoment(iso, zone)}>
      {formatMoment(iso, zone)}
    </time>
  )
}

function Outcome({ run }: { run: Run }) {
  const receipt = useRunModel().receiptOf(run)
  return (
    <>
      <LinkedText text={outcomeOf(run) ?? '–'} />
      {receipt && <span className={classes.proof}>{receipt.proof}</span>}
    </>
  )
}
