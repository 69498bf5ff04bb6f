import { infiniteQueryOptions } from '@tanstack/react-query'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { keysOf } from '../cache/keys.ts'
import type { RunModel } from '../task-model.ts'

/** Runs of a task, newest first, with cursor pagination. */
export const runsQuery = (model: RunModel, id: number) =>
  infiniteQueryOptions({
    queryKey: keysOf(model).runs(id),
    queryFn: ({ pageParam, signal }) => model.calls.runs(id, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    meta: { failure: taskMessages.fetch_runs_failed },
  })
