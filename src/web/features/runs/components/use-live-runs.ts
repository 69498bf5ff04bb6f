import { useQueryClient } from '@tanstack/react-query'
import { allRuns, ListedRun } from '../../../../contract/all-runs/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { useEventStream } from '../../../tasks/live/use-event-stream.ts'
import { LIST_KEY, TIMELINE_KEY } from '../api.ts'

type Options = { onRuns: (runs: readonly ListedRun[]) => void }

/** Passes on every run that changes. Returns the interval at which to poll while the event stream is lost, else false. */
export function useLiveRuns({ onRuns }: Options): number | false {
  const client = useQueryClient()
  const reload = () =>
    Promise.all(
      [LIST_KEY, TIMELINE_KEY, [allRuns.report.path]].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
  const { lost } = useEventStream({
    of: 'runs',
    // The stream starts with the next change: earlier ones were missed.
    onOpen: (again) => {
      if (again) void reload()
    },
    onEvent: (event) => {
      if (event.type === 'tasks') void reload()
      if (event.type !== 'runs') return
      const runs = event.runs.flatMap((run) => ListedRun.safeParse(run).data ?? [])
      onRuns(runs)
      for (const { id } of runs) void client.invalidateQueries({ queryKey: [allRuns.report.path, id] })
    },
    onClose: () => undefined,
  })
  return lost ? limits.status_poll_ms : false
}
