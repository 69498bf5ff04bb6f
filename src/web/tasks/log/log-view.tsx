import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { logMessages } from '../../../contract/logs/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { LogTable } from '../../ui/log-table.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { isMissing } from '../cache/task-queries.ts'
import { type LogFilters, searchedText } from './log-filters.ts'
import { itemsOf, type LogItem, textOf } from './log-items.ts'
import { LogToolbar } from './log-toolbar.tsx'
import classes from './log-view.module.css'
import { OlderLines } from './older-lines.tsx'
import { rowOf } from './row-of.tsx'
import { RunHeading, useRunLabels } from './run-heading.tsx'
import { useHeldLines } from './use-held-lines.ts'
import { type LogOptions, useLog } from './use-log.ts'
import { useMatch } from './use-match.ts'

type Props = LogOptions & {
  onFilter: (change: Partial<LogFilters>) => void
  /** Older lines are loaded when the end is in view; otherwise by a button, because the page goes on below. */
  endless: boolean
  /** Shown if there is no such task. */
  missing?: ReactNode
  children: (parts: { subtitle: string | undefined; is_empty: boolean; log: ReactNode }) => ReactNode
}

/** Log of a task with level filter, search and copying, newest line first, separated by run. */
export function LogView({ onFilter, endless, missing, children, ...options }: Props) {
  const { source, filters } = options
  const { query, lines, counts, count, is_empty, subtitle, more } = useLog(options)
  const held = useHeldLines(lines)
  const items = itemsOf(held.shown)
  const labels = useRunLabels(source.key[1], query.data?.pages.flatMap(({ runs }) => runs) ?? [])
  const match = useMatch({ lines: held.shown, search: filters.search, more })
  if (missing && isMissing(query.error)) return missing
  const log = (
    <>
      {query.isError && lines.length === 0 && (
        <LoadError
          message={reasonOf(query.error, taskMessages.fetch_logs_failed)}
          onRetry={() => query.refetch()}
        />
      )}
      {query.isPending && <LoadingRows label="Loading the log" />}
      {query.isSuccess && is_empty && <EmptyState title={taskMessages.no_logs} />}
      {query.data && !is_empty && (
        <LogToolbar
          filters={filters}
          onFilter={onFilter}
          counts={counts}
          match={match}
          count={count}
          copy={{ text: () => textOf(items, labels), lines: held.shown.length }}
        />
      )}
      {query.isSuccess && !is_empty && lines.length === 0 && (
        <EmptyState level={3} title={logMessages.none_match} />
      )}
      <div ref={held.top} />
      {held.count > 0 && (
        <Button className={classes.held} size="compact-sm" radius="xl" onClick={held.release}>
          {logMessages.new_lines(held.count)}
        </Button>
      )}
      {items.length > 0 && (
        <Items
          items={items}
          search={filters.search}
          current={match.id}
          labels={labels}
          onEnd={() => endless && query.hasNextPage && !query.isFetching && void query.fetchNextPage()}
        />
      )}
      <OlderLines query={query} />
    </>
  )
  return children({ subtitle, is_empty, log })
}

type ItemsProps = {
  items: readonly LogItem[]
  search: string
  /** The line that the search is at. */
  current: number | null
  labels: ReturnType<typeof useRunLabels>
  onEnd: () => void
}

function Items({ items, search, current, labels, onEnd }: ItemsProps) {
  const place =
    current === null ? -1 : items.findIndex((item) => item.kind === 'line' && item.line.id === current)
  return (
    <LogTable
      count={items.length}
      keyAt={(index) => {
        const item = items[index]
        return item === undefined ? index : item.kind === 'line' ? item.line.id : item.key
      }}
      timeLabel="Timestamp"
      search={searchedText(search)}
      current={place < 0 ? null : place}
      onEnd={onEnd}
      rowAt={(index) => {
        const item = items[index]
        if (item?.kind === 'line') return rowOf(item.line)
        return item && { heading: <RunHeading run_id={item.run_id} labels={labels} /> }
      }}
    />
  )
}
