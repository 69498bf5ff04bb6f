import { queryOptions, useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { type CronCheck, schedules } from '../../../../contract/schedules/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import { call } from '../../../lib/call.ts'
import { withTimeLimit } from '../../../lib/time-limit.ts'

/** What the server says of an expression; of a type it also knows how long its runs usually take. */
export const cronQuery = (cron_expression: string, task_type_id: number | undefined) =>
  queryOptions({
    queryKey: [schedules.validateCron.path, cron_expression, task_type_id ?? null] as const,
    queryFn: ({ signal }) =>
      call(schedules.validateCron, {
        body: { cron_expression, ...(task_type_id !== undefined && { task_type_id }) },
        signal: withTimeLimit(limits.schedule_timeout_ms, signal),
      }),
    retry: false,
    // The next runs are relative to the time of the request.
    staleTime: 0,
  })

/** Why the server does not take this expression, once it has been asked for it; null: it takes it, or was not asked. */
export function useCronRefusal(cron: string, task_type_id: number | undefined): string | null {
  const { data } = useQuery({ ...cronQuery(cron.trim(), task_type_id), enabled: false })
  return data?.valid === false ? data.error_message || taskTypeMessages.cron_invalid : null
}

/** State of the check of the text in the field: not requested, pending or the result. */
export type Verdict =
  | { kind: 'unasked' }
  | { kind: 'checking' }
  | { kind: 'invalid'; message: string }
  | { kind: 'valid'; reply: CronCheck }

/** The verdict on `text` where `asked` was asked for last; an answer on anything else says nothing of it. */
export function verdictOf(
  text: string,
  asked: string,
  { data, isError, isFetching }: { data: CronCheck | undefined; isError: boolean; isFetching: boolean },
): Verdict {
  if (asked === '' || text.trim() !== asked) return { kind: 'unasked' }
  if (isFetching && data === undefined) return { kind: 'checking' }
  if (isError || data === undefined) return { kind: 'invalid', message: taskTypeMessages.cron_check_failed }
  return data.valid
    ? { kind: 'valid', reply: data }
    : { kind: 'invalid', message: data.error_message || taskTypeMessages.cron_invalid }
}
