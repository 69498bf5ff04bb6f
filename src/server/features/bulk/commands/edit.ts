import { sql } from 'kysely'
import { bulkServerMessages as messages } from '../../../../contract/bulk/server-messages.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { frameMessages } from '../../../../contract/system/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Trx } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { inSection } from '../../../tasks/edit/sections.ts'
import { refusedAccounts } from '../../../tasks/edit/task-settings.ts'
import { type BulkTask, readLive, type Target } from '../queries/targets.ts'
import { type Acted, done, type Outcome, refused, skipped } from './outcomes.ts'

// The edits below change what a form changes, by its rules: a task with a live run cannot be edited. The tasks are locked.

/** What a change does with a task. */
export type Decision = Outcome | 'change'

/**
 * Decides each task by `decide` and changes the remaining ones with one statement. The tasks are locked; those with a live run are
 * refused, unless the change does not concern runs.
 */
export async function edit(
  trx: Trx,
  tasks: readonly BulkTask[],
  step: {
    decide: (task: BulkTask) => Decision
    /** Changes these tasks and returns the ids of those that it changed. */
    change: (ids: readonly number[]) => Promise<readonly number[]>
    changed: (task: BulkTask) => string
    former: (task: BulkTask) => Record<string, unknown>
    concerns_runs?: false
  },
): Promise<Acted> {
  const ids = tasks.map(({ id }) => id)
  const live = step.concerns_runs === false ? new Set<number>() : await readLive(trx, ids)
  const decisions = new Map(
    tasks.map((task) => [task.id, live.has(task.id) ? refused(taskMessages.live_edit) : step.decide(task)]),
  )
  const changing = tasks.filter(({ id }) => decisions.get(id) === 'change')
  const changed = new Set(changing.length > 0 ? await step.change(changing.map(({ id }) => id)) : [])
  const outcomes = tasks.map((task): [number, Outcome] => {
    const decision = decisions.get(task.id)
    if (decision !== undefined && decision !== 'change') return [task.id, decision]
    return [task.id, changed.has(task.id) ? done(step.changed(task)) : refused(frameMessages.stale_update)]
  })
  const former = tasks
    .filter(({ id }) => changed.has(id))
    .map((task) => [task.id, step.former(task)] as const)
  return { outcomes: new Map(outcomes), former: new Map(former) }
}

type NewType = { name: string; category: TaskCategory }

/** The type with this id, which cannot be deleted until the transaction ends. Throws NamedError `type_gone`. */
export async function holdNewType(trx: Trx, id: number | null): Promise<NewType | null> {
  if (id === null) return null
  const type = await trx
    .selectFrom('task_types')
    .select(['name', 'category'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (type === undefined) throw new NamedError('type_gone', { field: 'task_type_id' })
  return type
}

/** Moves tasks to the end of a type, in their order; null: to the source tasks without a type. */
export async function changeType(
  trx: Trx,
  type_id: number | null,
  type: NewType | null,
  tasks: readonly BulkTask[],
): Promise<Acted> {
  const category = type?.category ?? 'source'
  const taken = await readNames(trx, category, type_id, tasks)
  const decide = ({ name, title, category: own, task_type_id }: BulkTask): Decision => {
    if (own !== category)
      return refused(
        type
          ? messages.type_of_others(type.name, own === 'sync' ? 'source' : 'sync')
          : messages.type_required,
      )
    if (task_type_id === type_id) return skipped(messages.type_same(title))
    if (taken.has(name)) return refused(syncTaskMessages.name_taken)
    taken.add(name)
    return 'change'
  }
  return edit(trx, tasks, {
    decide,
    change: async (ids) => {
      const { rows } = await sql<{ id: number }>`
        with last as (
          select coalesce(max(sort_order), 0)::bigint as place from tasks where ${inSection(category, type_id)}
        )
        update tasks set task_type_id = ${type_id}::int,
          sort_order = least(last.place + moved.place, 2147483647), updated_at = ${touched}
        from last, unnest(${[...ids]}::int[]) with ordinality as moved (task_id, place)
        where tasks.id = moved.task_id returning tasks.id`.execute(trx)
      return rows.map(({ id }) => id)
    },
    changed: ({ title }) => (type ? messages.type_changed(title, type.name) : messages.type_removed(title)),
    former: ({ task_type_id, sort_order }) => ({ task_type_id, sort_order }),
  })
}

// Those of the given names that tasks of the type have. Index: tasks_type_name_key.
async function readNames(
  trx: Trx,
  category: TaskCategory,
  type_id: number | null,
  tasks: readonly BulkTask[],
): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from tasks
    where ${inSection(category, type_id)} and name = any (${tasks.map(({ name }) => name)}::text[])`.execute(
    trx,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Sets the times of sync tasks. Source tasks are refused: their types have schedules. */
export const changeSchedule = (
  trx: Trx,
  scheduled_times: readonly string[],
  tasks: readonly BulkTask[],
): Promise<Acted> =>
  edit(trx, tasks, {
    decide: (task) => {
      if (task.category !== 'sync') return refused(messages.schedule_of_type)
      return sameTexts(task.scheduled_times, scheduled_times)
        ? skipped(messages.schedule_same(task.title))
        : 'change'
    },
    change: async (ids) => {
      const changed = await trx
        .updateTable('tasks')
        .set({ scheduled_times: [...scheduled_times], updated_at: touched })
        .where(among(ids))
        .returning('id')
        .execute()
      return changed.map(({ id }) => id)
    },
    changed: ({ title }) => messages.schedule_changed(title),
    former: (task) => ({ scheduled_times: task.scheduled_times }),
  })

export type Accounts = { use_my_account?: true | undefined; relevant_user_accounts?: string[] | undefined }

/**
 * Changes the accounts that runs use. The caller's own account is assigned only to the version of a task that the caller has seen
 * (decision 090).
 */
export async function changeAccount(
  trx: Trx,
  actor: Actor,
  { use_my_account, relevant_user_accounts }: Accounts,
  { tasks, targets }: { tasks: readonly BulkTask[]; targets: readonly Target[] },
): Promise<Acted> {
  const seen = new Map(targets.map(({ id, updated_at }) => [id, updated_at]))
  const refusals = relevant_user_accounts
    ? await refusedAccounts(trx, {
        task_ids: tasks.map(({ id }) => id),
        emails: relevant_user_accounts,
        account_user_id: use_my_account ? actor.id : undefined,
      })
    : new Map<number, string>()
  const decide = (task: BulkTask): Decision => {
    const { id, title, account_user_id } = task
    if (!task.reads_sheet) return skipped(messages.account_unused(title))
    const takesOver = use_my_account === true && account_user_id !== actor.id
    if (takesOver) {
      const version = seen.get(id)
      if (version === undefined) return refused(messages.version_required)
      if (new Date(version).getTime() !== task.updated_at.getTime())
        return refused(frameMessages.stale_update)
    }
    const refusal = refusals.get(id)
    if (refusal !== undefined) return refused(refusal)
    const sameAccounts =
      relevant_user_accounts === undefined || sameTexts(task.relevant_user_accounts, relevant_user_accounts)
    return takesOver || !sameAccounts ? 'change' : skipped(messages.account_same(title))
  }
  return edit(trx, tasks, {
    decide,
    change: async (ids) => {
      const changed = await trx
        .updateTable('tasks')
        .set({
          ...(use_my_account && { account_user_id: actor.id }),
          ...(relevant_user_accounts && { relevant_user_accounts }),
          updated_at: touched,
        })
        .where(among(ids))
        .returning('id')
        .execute()
      return changed.map(({ id }) => id)
    },
    changed: ({ title }) => messages.account_changed(title),
    former: ({ account_user_id, relevant_user_accounts: accounts }) => ({
      account_user_id,
      relevant_user_accounts: accounts,
    }),
  })
}

/** Condition on tasks with these ids. */
export const among = (ids: readonly number[]) => sql<boolean>`id = any (${[...ids]}::int[])`

const sameTexts = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, index) => text === other[index])
