import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { readinessQuery } from '../api.ts'

/** Result of the last readiness check. A failed check says nothing about the source and discards earlier results. */
export type Verdict = {
  state: 'unknown' | 'ready' | 'not_ready' | 'failed'
  label: string
  /** Reason; a description of the check if there was none. */
  message: string
  /** Time of the reply. */
  checked_at: string | null
}

/** Checks whether the source of a task can be read, and shows the result. */
export function useCheckReadiness({ id }: SyncTask) {
  const client = useQueryClient()
  return async () => {
    try {
      const { ready, message } = await client.fetchQuery({ ...readinessQuery(id), staleTime: 0 })
      if (ready) toast.success(syncTaskMessages.source_ready(message))
      else toast.warning(syncTaskMessages.source_not_ready(message))
    } catch (error) {
      const reason = reasonOf(error, '')
      toast.error(reason ? syncTaskMessages.readiness_failed(reason) : syncTaskMessages.readiness_error)
    }
  }
}

/** The last result for a task's source, whether a check is running, and a function that starts one. */
export function useReadiness(task: SyncTask) {
  const query = useQuery({ ...readinessQuery(task.id), enabled: false })
  const check = useCheckReadiness(task)
  return { verdict: verdictOf(query), checking: query.isFetching, check }
}

type Check = Pick<
  ReturnType<typeof useQuery<{ ready: boolean; message: string }>>,
  'data' | 'error' | 'dataUpdatedAt' | 'errorUpdatedAt'
>

function verdictOf({ data, error, dataUpdatedAt, errorUpdatedAt }: Check): Verdict {
  if (error)
    return {
      state: 'failed',
      label: syncTaskMessages.readiness_check_failed,
      message: reasonOf(error, syncTaskMessages.readiness_error),
      checked_at: new Date(errorUpdatedAt).toISOString(),
    }
  if (!data)
    return {
      state: 'unknown',
      label: syncTaskMessages.readiness_unchecked,
      message: syncTaskMessages.check_readiness,
      checked_at: null,
    }
  return {
    state: data.ready ? 'ready' : 'not_ready',
    label: data.ready ? syncTaskMessages.ready : syncTaskMessages.not_ready,
    message: data.message,
    checked_at: new Date(dataUpdatedAt).toISOString(),
  }
}
