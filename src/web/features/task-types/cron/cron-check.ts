import { queryOptions, useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { type CronCheck, schedules } from '../../../../contract/schedules/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import { call } from '../../../lib/call.ts'
import { withTimeLimit } from '../../../lib/time-limit.ts'

/** Checks a cron expression on the server; with a type, also against the usual duration of its runs. */
export const cronQuery = (cron_expression: string, task_type_id: number | undefined) =>
  queryOptions({
    queryKey: [schedules.validateCron.path, cron_expression, task_type_id ?? null] as const,
    queryFn: ({ signal }) =>
      call(schedules.validateCron, {
        body: { cron_expression, ...(task_type_id !== undefined && { task_type_id }) },
        signal: withTimeLimit(limits.schedule_timeout_ms, signal),
      }),
    retry: false,
    // next runs are relative to the time of the request
    staleTime: 0,
  })

/** Why the server rejected this expression; null if it is valid or was not checked. */
export function useCronError(cron: string, task_type_id: number | undefined): string | null {
  const { data } = useQuery({ ...cronQuery(cron.trim(), task_type_id), enabled: false })
  return data?.valid === false ? data.error_message || taskTypeMessages.cron_invalid : null
}

/** State of the check of the text in the field: not requested, pending or the result. */
export type CheckState =
  | { kind: 'not_checked' }
  | { kind: 'checking' }
  | { kind: 'invalid'; message: string }
  | { kind: 'valid'; reply: CronCheck }

/** State of the check of `text`; a result for another text is ignored. */
export function checkStateOf(
  text: string,
  asked: string,
  { data, isError, isFetching }: { data: CronCheck | undefined; isError: boolean; isFetching: boolean },
): CheckState {
  if (asked === '' || text.trim() !== asked) return { kind: 'not_checked' }
  if (isFetching && data === undefined) return { kind: 'checking' }
  if (isError || data === undefined) return { kind: 'invalid', message: taskTypeMessages.cron_check_failed }
  return data.valid
    ? { kind: 'valid', reply: data }
    : { kind: 'invalid', message: data.error_message || taskTypeMessages.cron_invalid }
}
