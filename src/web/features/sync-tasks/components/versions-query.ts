import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { plans } from '../../../../contract/plans/calls.ts'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { call } from '../../../lib/call.ts'

/** Kept versions of a task's target, again after each run. */
export const versionsQuery = ({ id, task_status, last_successful_run }: SyncTask) =>
  queryOptions({
    queryKey: [plans.versions.path, id, task_status, last_successful_run] as const,
    queryFn: ({ signal }) => call(plans.versions, { params: { id }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: {},
  })
