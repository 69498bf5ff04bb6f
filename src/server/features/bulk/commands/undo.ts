import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { BulkAction, type BulkReply, tasksBulk } from '../../../../contract/bulk/calls.ts'
import { bulkServerMessages as messages } from '../../../../contract/bulk/server-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { NamedError } from '../../../platform/errors.ts'
import { type BulkTask, readBulkTasks, readLive, type Target } from '../queries/targets.ts'
import { withdrawAcknowledgements } from './acknowledge.ts'
import { FormerOfMarks, restoreMarksAndClaims } from './failure-marks.ts'
import { done, type Outcome, refused, resultsOf, summarize } from './outcomes.ts'
import { recordUndo } from './record.ts'
import { retriedOnConflict } from './retry-name-conflicts.ts'

const Former = z.object({
  ...FormerOfMarks,
  is_active: z.optional(z.boolean()),
  task_type_id: z.optional(z.nullable(z.int())),
  sort_order: z.optional(z.int()),
  scheduled_times: z.optional(z.array(z.string())),
  relevant_user_accounts: z.optional(z.array(z.string())),
  account_user_id: z.optional(z.nullable(z.int())),
  owner_id: z.optional(z.nullable(z.int())),
  tags: z.optional(z.array(z.string())),
  warnings: z.optional(z.array(z.object({ id: z.string(), at: z.string(), message: z.string() }))),
})

type Changed = { id: number; former: z.output<typeof Former>; updated_at: Date }

/**
 * Undoes a call of the same user: restores the former values of each task that was not changed since, or cancels the deletion. A
 * repeated request gets the first reply. Throws NamedError `bulk_not_found`, and `undo_expired` after the time limit.
 */
export const undoBulkCall = (db: Db, actor: Actor, id: number): Promise<BulkReply> =>
  retriedOnConflict(db, async (trx) => {
    const call = await lockCall(trx, actor, id)
    if (call.end_state === 'undone') return tasksBulk.undo.reply.parse(call.end_reply)
    if (call.end_state !== null || !call.can_undo) throw new NamedError('undo_expired')
    const action = BulkAction.parse(call.action)
    const changed = await readChanges(trx, id)
    const targets = await readCategories(trx, changed)
    const lock = action === 'delete' ? 'none' : isMarking(action) ? 'update' : 'exclusive'
    const tasks = await readBulkTasks(trx, targets, lock)
    const outcomes = await restore(trx, actor, action, { changed, tasks })
    const reply: BulkReply = {
      action,
      ...summarize('undo', resultsOf(targets, tasks, outcomes)),
      bulk_id: null,
      undo_until: null,
    }
    await trx
      .updateTable('bulk_calls')
      .set({ end_state: 'undone', end_reply: JSON.stringify(reply) })
      .where('id', '=', id)
      .execute()
    const formerOf = new Map(changed.map((change) => [change.id, change.former]))
    await recordUndo(
      trx,
      actor,
      action,
      tasks
        .filter((task) => outcomes.get(task.id)?.status === 'done')
        .map((task) => ({ id: task.id, category: task.category, former: formerOf.get(task.id) ?? {} })),
    )
    return reply
  })

// The deletion that is due waits for this lock, or the undo waits for the deletion.
async function lockCall(trx: Trx, actor: Actor, id: number) {
  const call = await trx
    .selectFrom('bulk_calls')
    .select(['action', 'end_state', 'end_reply'])
    .select(sql<boolean>`coalesce(undo_until > clock_timestamp(), false)`.as('can_undo'))
    .where('id', '=', id)
    .where('user_id', '=', actor.id)
    .forUpdate()
    .executeTakeFirst()
  if (call === undefined) throw new NamedError('bulk_not_found')
  return call
}

const marking: readonly BulkAction[] = ['acknowledge', 'snooze', 'unmark', 'claim', 'release']
const isMarking = (action: BulkAction) => marking.includes(action)

// With their categories, because they may be tasks of compiler configurations. A deleted task has none.
async function readCategories(trx: Trx, changed: readonly Changed[]): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select c.id, t.category from unnest(${changed.map(({ id }) => id)}::int[]) with ordinality as c (id, place)
    left join tasks t on t.id = c.id order by c.place`.execute(trx)
  return rows
}

async function readChanges(trx: Trx, bulk_id: number): Promise<Changed[]> {
  const rows = await trx
    .selectFrom('bulk_changes')
    .select(['task_id', 'former', 'updated_at'])
    .where('bulk_id', '=', bulk_id)
    .orderBy('task_id')
    .execute()
  return rows.map(({ task_id, former, updated_at }) => ({
    id: task_id,
    former: Former.parse(former),
    updated_at,
  }))
}

type Restored = { changed: readonly Changed[]; tasks: readonly BulkTask[] }
type Outcomes = Map<number, Outcome>

async function restore(
  trx: Trx,
  actor: Actor,
  action: BulkAction,
  { changed, tasks }: Restored,
): Promise<Outcomes> {
  if (action === 'delete')
    return new Map(tasks.map(({ id, title }) => [id, done(messages.delete_cancelled(title))]))
  if (isMarking(action)) return restoreMarks(trx, actor, { changed, tasks })
  const byId = new Map(changed.map((change) => [change.id, change]))
  const refusals = await refusedRestores(trx, action, { changed, tasks })
  const restorable = tasks.flatMap(({ id }) => (refusals.has(id) ? [] : (byId.get(id) ?? [])))
  await restoreColumns(trx, restorable)
  return new Map(tasks.map(({ id, title }) => [id, refusals.get(id) ?? done(messages.restored(title))]))
}

async function restoreMarks(trx: Trx, actor: Actor, { changed, tasks }: Restored): Promise<Outcomes> {
  const withWarnings = changed.flatMap(({ id, former }) =>
    former.warnings ? [{ id, warnings: former.warnings }] : [],
  )
  const restored = new Set([
    ...(await withdrawAcknowledgements(trx, actor, withWarnings)),
    ...(await restoreMarksAndClaims(
      trx,
      changed.map(({ id, former }) => ({ id, ...former })),
    )),
  ])
  return new Map(
    tasks.map(({ id, title }) => [
      id,
      restored.has(id) ? done(messages.restored(title)) : refused(messages.marks_changed_since(title)),
    ]),
  )
}

// Actions that change tasks with a live run, too.
const WHILE_LIVE: ReadonlySet<BulkAction> = new Set([
  'activate',
  'deactivate',
  'change_owner',
  'add_tag',
  'remove_tag',
])

async function refusedRestores(
  trx: Trx,
  action: BulkAction,
  { changed, tasks }: Restored,
): Promise<Outcomes> {
  const ids = tasks.map(({ id }) => id)
  const versions = new Map(changed.map(({ id, updated_at }) => [id, updated_at.getTime()]))
  const refusals: Outcomes = new Map()
  const live = WHILE_LIVE.has(action) ? new Set<number>() : await readLive(trx, ids)
  const conflicts =
    action === 'change_type' ? await readTypeConflicts(trx, changed) : new Map<number, string>()
  for (const { id, title, updated_at } of tasks) {
    const conflict = conflicts.get(id)
    if (versions.get(id) !== updated_at.getTime()) refusals.set(id, refused(messages.changed_since(title)))
    else if (live.has(id)) refusals.set(id, refused(taskMessages.live_edit))
    else if (conflict !== undefined) refusals.set(id, refused(conflict))
  }
  return refusals
}

// The former type may be gone, or another task of it may have the name by now.
async function readTypeConflicts(trx: Trx, changed: readonly Changed[]): Promise<Map<number, string>> {
  const type_ids = changed.map(({ former }) => former.task_type_id ?? null)
  const { rows } = await sql<{ id: number; is_gone: boolean }>`
    select t.id, y.id is null as is_gone
    from unnest(${changed.map(({ id }) => id)}::int[], ${type_ids}::int[]) as c (task_id, type_id)
    join tasks t on t.id = c.task_id
    left join task_types y on y.id = c.type_id
    where (c.type_id is not null and y.id is null) or exists (
      select from tasks other
      where other.category = t.category and other.task_type_id is not distinct from c.type_id
        and other.name = t.name and other.id <> t.id
    )`.execute(trx)
  return new Map(
    rows.map(({ id, is_gone }) => [id, is_gone ? messages.type_gone_since : messages.name_taken_since]),
  )
}

// The columns that an undo restores, with their types. An account or owner that was deleted becomes none.
const columns: Record<
  Exclude<keyof Changed['former'], 'warnings' | 'mark' | 'claim'>,
  RawBuilder<unknown>
> = {
  is_active: sql`(c.former ->> 'is_active')::boolean`,
  task_type_id: sql`(c.former ->> 'task_type_id')::int`,
  sort_order: sql`(c.former ->> 'sort_order')::int`,
  scheduled_times: sql`array(select jsonb_array_elements_text(c.former -> 'scheduled_times'))`,
  relevant_user_accounts: sql`array(select jsonb_array_elements_text(c.former -> 'relevant_user_accounts'))`,
  account_user_id: sql`(select u.id from users u where u.id = (c.former ->> 'account_user_id')::int)`,
  owner_id: sql`(select u.id from users u where u.id = (c.former ->> 'owner_id')::int)`,
  tags: sql`array(select jsonb_array_elements_text(c.former -> 'tags'))`,
}

async function restoreColumns(trx: Trx, changes: readonly Changed[]): Promise<void> {
  const [first] = changes
  if (first === undefined) return
  const sets = Object.entries(columns)
    .filter(([name]) => name in first.former)
    .map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  const items = changes.map(({ id, former }) => ({ task_id: id, former }))
  await sql`
    update tasks set ${sql.join(sets)}, updated_at = ${touched}
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as c (task_id int, former jsonb)
    where tasks.id = c.task_id`.execute(trx)
}
