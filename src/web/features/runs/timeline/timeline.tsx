import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { TimelineRun } from '../../../../contract/all-runs/calls.ts'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { useServerSecond } from '../../../lib/use-server-second.ts'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { type Timeline as Data, timelineQuery } from '../api.ts'
import { withRun } from '../components/run-address.ts'
import { isFiltered, passes, type RunFilters } from '../components/run-filters.ts'
import { useLiveRuns } from '../components/use-live-runs.ts'
import { rowsOf } from './layout.ts'
import { Ranges } from './range-choice.tsx'
import { type RangeName, rangeAt, type View } from './ranges.ts'
import { TimelineChart } from './timeline-chart.tsx'

// Bars of live runs grow in steps of so many milliseconds.
const STEP_MS = 5000
const MINUTE_MS = 60_000

type Props = {
  filters: RunFilters
  range: RangeName
  onRange: (range: RangeName) => void
  onClear: () => void
}

/** The runs of a range of time as bars per type and task, live, and the quota that they used. */
export function Timeline({ filters, range, onRange, onClear }: Props) {
  const zone = useTimeZone()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const now = useServerSecond()
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const domain = useMemo(() => rangeAt(range, minute + MINUTE_MS, zone), [range, minute, zone])
  const options = timelineQuery({ key: range, ...domain })
  const query = useQuery(options)
  const poll = useLiveRuns({
    onRuns: (changed) =>
      client.setQueryData<Data>(options.queryKey, (before) => {
        if (!before) return before
        const [from, to] = [rangeAt(range, serverNow(), zone).from, serverNow()]
        const byId = new Map(before.runs.map((run) => [run.id, run]))
        for (const run of changed) {
          const ended = run.finished_at === null ? to : Date.parse(run.finished_at)
          if (ended >= from) byId.set(run.id, TimelineRun.parse(run))
        }
        return { ...before, runs: [...byId.values()].toSorted((one, other) => other.id - one.id) }
      }),
  })
  useQuery({ ...options, refetchInterval: poll })

  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [zoom, setZoom] = useState<{ of: RangeName; view: View } | null>(null)
  const runs = query.data?.runs
  const live = runs?.some(({ finished_at }) => finished_at === null) ?? false
  const at = live ? Math.floor(now / STEP_MS) * STEP_MS : minute
  const rows = useMemo(() => {
    if (!query.data) return []
    const { runs: known, types } = query.data
    // Runs that left the range while the page was open.
    const shown = known.filter(
      (run) =>
        passes(run, filters) &&
        (run.finished_at === null || Date.parse(run.finished_at) >= domain.from) &&
        Date.parse(run.queued_at) < domain.to,
    )
    return rowsOf(shown, types, { unfolded, now: at, known })
  }, [query.data, filters, unfolded, at, domain])

  if (query.isPending)
    return (
      <>
        <Ranges range={range} onRange={onRange} />
        <LoadingRows rows={10} label="Loading the timeline" />
      </>
    )
  if (!query.data)
    return (
      <>
        <Ranges range={range} onRange={onRange} />
        <LoadError
          message={reasonOf(query.error, messages.fetch_timeline_failed)}
          onRetry={() => query.refetch()}
        />
      </>
    )
  const types = rows.filter(({ kind }) => kind === 'type')
  return (
    <>
      {query.data.is_cut && <p role="status">{messages.is_cut(query.data.runs.length)}</p>}
      <TimelineChart
        name={range}
        rows={rows}
        domain={domain}
        view={zoom?.of === range ? zoom.view : domain}
        now={now}
        onRange={onRange}
        empty={
          <EmptyState title={messages.timeline_none} hint={messages.timeline_none_hint}>
            {isFiltered(filters, { within: false }) && (
              <Button variant="default" onClick={onClear}>
                Clear all filters
              </Button>
            )}
          </EmptyState>
        }
        onView={(view) => setZoom({ of: range, view })}
        onFold={(key) =>
          setUnfolded((before) => {
            const after = new Set(before)
            if (!after.delete(key)) after.add(key)
            return after
          })
        }
        onFoldAll={(folded) => setUnfolded(new Set(folded ? [] : types.map(({ key }) => key)))}
        onOpen={(id) => navigate(withRun(params, id), { replace: true, preventScrollReset: true })}
      />
    </>
  )
}
