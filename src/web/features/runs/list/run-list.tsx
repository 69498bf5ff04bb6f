// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells are read; the link in each row is operated
import { Button, Loader } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../../ui/states.tsx'
import { type RunPages, runsQuery } from '../api.ts'
import { isFiltered, passes, passesTime, type RunFilters } from '../components/run-filters.ts'
import { useLiveRuns } from '../components/use-live-runs.ts'
import { mergeRuns, prependRuns } from './merge-runs.ts'
import classes from './run-list.module.css'
import { RunRow } from './run-row.tsx'

// A page that holds few matches is followed by the next one until so many rows are there.
const FILLED = 30
// Scrolled further than this, new runs wait until they are asked for.
const AT_TOP_PX = 200

type Props = { filters: RunFilters; onClear: () => void }

/** The runs that pass the filters, newest first, live; only the rows near the window exist. */
export function RunList({ filters, onClear }: Props) {
  const client = useQueryClient()
  const options = runsQuery(filters)
  const query = useInfiniteQuery(options)
  const [held, setHeld] = useState<{ of: RunFilters; runs: ListedRun[] }>({ of: filters, runs: [] })
  const waiting = held.of === filters ? held.runs : []

  const poll = useLiveRuns({
    onRuns: (changed) => {
      const before = client.getQueryData<RunPages>(options.queryKey)
      if (!before) return
      const { pages, added } = mergeRuns(
        before,
        changed,
        (run) => passes(run, filters) && passesTime(run, filters, serverNow()),
      )
      const later = waiting.map((run) => changed.find(({ id }) => id === run.id) ?? run)
      const all = [...added.filter(({ id }) => !later.some((run) => run.id === id)), ...later]
      const top = window.scrollY < AT_TOP_PX
      client.setQueryData<RunPages>(options.queryKey, top ? prependRuns(pages, all) : pages)
      setHeld({ of: filters, runs: top ? [] : all })
    },
  })
  useInfiniteQuery({ ...options, refetchInterval: poll })
  const showHeld = () => {
    const before = client.getQueryData<RunPages>(options.queryKey)
    if (before) client.setQueryData<RunPages>(options.queryKey, prependRuns(before, waiting))
    setHeld({ of: filters, runs: [] })
    window.scrollTo({ top: 0 })
  }

  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.runs) ?? [], [query.data])
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query
  const searching = hasNextPage && runs.length < FILLED && !isError
  useEffect(() => {
    if (searching && !isFetchingNextPage) void fetchNextPage()
  }, [searching, isFetchingNextPage, fetchNextPage])

  if (query.isPending) return <LoadingRows rows={10} label="Loading the runs" />
  return (
    <>
      {waiting.length > 0 && (
        <div className={classes.fresh}>
          <Button size="xs" radius="xl" onClick={showHeld}>
            {messages.new_runs(waiting.length)}
          </Button>
        </div>
      )}
      {runs.length > 0 && (
        <Rows runs={runs} onEnd={() => hasNextPage && !isFetchingNextPage && !isError && fetchNextPage()} />
      )}
      {runs.length === 0 && !hasNextPage && !isError && (
        <Nothing filtered={isFiltered(filters, { within: true })} onClear={onClear} />
      )}
      {isError && (
        <LoadError
          message={reasonOf(query.error, messages.fetch_failed)}
          onRetry={() => (query.isFetchNextPageError ? fetchNextPage() : query.refetch())}
        />
      )}
      <Foot
        searching={hasNextPage && !isError}
        searched_to={runs.length < FILLED ? (query.data?.pages.at(-1)?.searched_to ?? null) : null}
        more={runs.length > 0}
      />
    </>
  )
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <EmptyState title={messages.none} hint={messages.none_hint} />
  return <NothingMatches title={messages.nothing_matches} onClear={onClear} />
}

function Foot({
  searching,
  searched_to,
  more,
}: {
  searching: boolean
  searched_to: string | null
  more: boolean
}) {
  const zone = useTimeZone()
  if (searching)
    return (
      <p className={classes.foot} role="status">
        <Loader size={14} />
        {searched_to ? messages.searched_to(formatMoment(searched_to, zone)) : 'Loading older runs'}
      </p>
    )
  return more ? <p className={classes.foot}>{messages.end_of_list}</p> : null
}

function Rows({ runs, onEnd }: { runs: readonly ListedRun[]; onEnd: () => void }) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  // The height above the list changes with the filters and the window.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0))
  const virtual = useWindowVirtualizer({
    count: runs.length,
    estimateSize: () => 57,
    getItemKey: (index) => runs[index]?.id ?? index,
    scrollMargin: top,
    // Not rounded, otherwise a row would cover the border of the one above.
    measureElement: (element) => element.getBoundingClientRect().height,
    overscan: 10,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const near_end = last >= runs.length - 10
  // biome-ignore lint/correctness/useExhaustiveDependencies: each longer list is looked at anew
  useEffect(() => {
    if (near_end) onEnd()
  }, [near_end, runs.length])
  return (
    <div className={classes.table} role="table" aria-label={messages.title} aria-rowcount={runs.length + 1}>
      <div role="rowgroup">
        <div className={classes.head} role="row" aria-rowindex={1}>
          {['Status', 'Task', 'Result', 'Started by', 'Queued', 'Time', 'Rows'].map((label) => (
            <span key={label} role="columnheader" data-column={label}>
              {label}
            </span>
          ))}
        </div>
      </div>
      <div ref={list} role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const run = runs[index]
          return (
            run && (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <RunRow run={run} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
