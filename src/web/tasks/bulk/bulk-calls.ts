import { queryOptions } from '@tanstack/react-query'
import { type BulkAction, tasksBulk } from '../../../contract/bulk/calls.ts'
import { call } from '../../lib/call.ts'
import type { Task } from '../task-model.ts'

/** The actions without parameters. */
export type PlainAction = Exclude<
  BulkAction,
  'snooze' | 'change_type' | 'change_schedule' | 'change_account' | 'change_owner' | 'add_tag' | 'remove_tag'
>

/** An action with its parameters. */
export type Change =
  | { action: PlainAction }
  | { action: 'snooze'; until: string }
  | { action: 'change_type'; task_type_id: number | null }
  | { action: 'change_schedule'; scheduled_times: string[] }
  | { action: 'change_account'; use_my_account?: true; relevant_user_accounts?: string[] }
  | { action: 'change_owner'; owner_id: number | null }
  | { action: 'add_tag' | 'remove_tag'; tag: string }

const idsOf = (tasks: readonly Task[]) => tasks.map(({ id }) => id)

// The own account is assigned only to the version of a task that the user has seen.
const targetsOf = (action: BulkAction, tasks: readonly Task[]) =>
  action === 'change_account' ? tasks.map(({ id, updated_at }) => ({ id, updated_at })) : idsOf(tasks)

/** Applies an action to exactly these tasks. */
export const actOnTasks = (change: Change, tasks: readonly Task[], trigger: string | undefined) =>
  call(tasksBulk.act, {
    body: { ...change, ids: targetsOf(change.action, tasks), ...(trigger && { trigger }) },
  })

/** Undoes an action. */
export const undoBulk = (id: number) => call(tasksBulk.undo, { params: { id } })

/** State of an action that can be undone. */
export const readBulk = (id: number) => call(tasksBulk.get, { params: { id } })

/** Estimated quota time of a run of these tasks. */
export const quotaTimeQuery = (tasks: readonly Task[]) => {
  const ids = idsOf(tasks)
  return queryOptions({
    queryKey: [tasksBulk.quotaTime.path, ids] as const,
    queryFn: ({ signal }) => call(tasksBulk.quotaTime, { body: { ids }, signal }),
    // The estimate depends on the current backlog.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}
