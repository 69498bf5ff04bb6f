import { useState } from 'react'
import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { compilerRuns } from '../../../../contract/compiler/runs.ts'
import { limits } from '../../../../contract/limits.ts'
import { logMessages } from '../../../../contract/logs/client-messages.ts'
import { sourceTasks } from '../../../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../../../contract/sync-tasks/calls.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { type LogFilters, searchedText } from '../../../tasks/log/log-filters.ts'
import { lineText } from '../../../tasks/log/log-items.ts'
import type { LogSource } from '../../../tasks/log/log-queries.ts'
import { LogToolbar } from '../../../tasks/log/log-toolbar.tsx'
import { OlderLines } from '../../../tasks/log/older-lines.tsx'
import { levelTones } from '../../../tasks/log/row-of.tsx'
import { useLog } from '../../../tasks/log/use-log.ts'
import { useMatch } from '../../../tasks/log/use-match.ts'
import { Badge } from '../../../ui/badge.tsx'
import { LinkedText } from '../../../ui/linked-text.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import classes from './run-panel.module.css'

/** Log of one run, newest line first, with level filter, search and copying. */
export function RunLog({ run }: { run: ListedRun }) {
  if (run.task_id === null) return <p className={classes.more}>{messages.no_log}</p>
  return <Lines run={run} task_id={run.task_id} />
}

function Lines({ run, task_id }: { run: ListedRun; task_id: number }) {
  const [filters, setFilters] = useState<LogFilters>({ levels: [], search: '' })
  const source = logOfRun(run, task_id)
  const poll_ms = run.finished_at === null && limits.source_poll_ms
  const { query, lines, counts, count, is_empty, more } = useLog({ source, filters, poll_ms })
  const match = useMatch({ lines, search: filters.search, more })
  if (query.isPending) return <LoadingRows rows={4} label="Loading the log" />
  if (query.isError && lines.length === 0)
    return (
      <LoadError
        message={reasonOf(query.error, taskMessages.fetch_logs_failed)}
        onRetry={() => query.refetch()}
      />
    )
  if (is_empty) return <p className={classes.more}>{messages.no_log}</p>
  return (
    <>
      <LogToolbar
        filters={filters}
        onFilter={(change) => setFilters((before) => ({ ...before, ...change }))}
        counts={counts}
        match={match}
        count={count}
        copy={{ text: () => lines.map(lineText).join('\n'), lines: lines.length }}
      />
      {lines.length === 0 && <p className={classes.more}>{logMessages.none_match}</p>}
      <ol className={classes.log}>
        {lines.map((line) => (
          <li
            key={line.id}
            data-current={line.id === match.id || undefined}
            ref={line.id === match.id ? scrollTo : null}
          >
            <span>
              <Badge tone={levelTones[line.level]} label={line.level} />
            </span>
            <span>
              <LinkedText text={line.message} search={searchedText(filters.search)} />
            </span>
            <time dateTime={line.timestamp}>{line.formatted_timestamp}</time>
          </li>
        ))}
      </ol>
      <OlderLines query={query} />
    </>
  )
}

const scrollTo = (line: HTMLElement | null) => line?.scrollIntoView({ block: 'nearest' })

const logOfRun = ({ id, category, config_id }: ListedRun, task_id: number): LogSource => ({
  key: ['/api/runs/:id/log', id],
  task_id,
  run_id: id,
  lines: (query, signal) => {
    if (category === 'sync') return call(syncTasks.logs, { params: { id: task_id }, query, signal })
    if (category === 'source') return call(sourceTasks.logs, { params: { id: task_id }, query, signal })
    return call(compilerRuns.logs, { params: { id: config_id ?? 0 }, query, signal })
  },
  failure: () => null,
})
