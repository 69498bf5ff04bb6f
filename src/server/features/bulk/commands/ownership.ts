import { sql } from 'kysely'
import { bulkServerMessages as messages } from '../../../../contract/bulk/server-messages.ts'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { tagKey } from '../../../../contract/tasks/ownership.ts'
import type { Trx } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { checkOwners } from '../../../tasks/edit/ownership.ts'
import type { BulkTask } from '../queries/targets.ts'
import { among, edit } from './edit.ts'
import { type Acted, refused, skipped } from './outcomes.ts'

// No run depends on owner and tags, so tasks with a live run are changed, too.

/** Gives tasks to a user; null: to nobody. Throws NamedError `owner_gone` unless the user exists and is not disabled. */
export async function changeOwner(
  trx: Trx,
  owner_id: number | null,
  tasks: readonly BulkTask[],
): Promise<Acted> {
  await checkOwners(trx, [owner_id])
  const owner =
    owner_id === null
      ? null
      : await trx
          .selectFrom('users')
          .select(sql<string>`coalesce(nullif(name, ''), email)`.as('name'))
          .where('id', '=', owner_id)
          .executeTakeFirstOrThrow()
  return edit(trx, tasks, {
    decide: (task) => (task.owner_id === owner_id ? skipped(messages.owner_same(task.title)) : 'change'),
    change: async (ids) => {
      const changed = await trx
        .updateTable('tasks')
        .set({ owner_id, updated_at: touched })
        .where(among(ids))
        .returning('id')
        .execute()
      return changed.map(({ id }) => id)
    },
    changed: ({ title }) =>
      owner ? messages.owner_changed(title, owner.name) : messages.owner_removed(title),
    former: (task) => ({ owner_id: task.owner_id }),
    concerns_runs: false,
  })
}

const has = ({ tags }: BulkTask, tag: string) => tags.some((own) => tagKey(own) === tagKey(tag))

/** Adds a tag to tasks that do not have it, without regard to case. Tasks with the maximum number of tags are refused. */
export const addTag = (trx: Trx, tag: string, tasks: readonly BulkTask[]): Promise<Acted> =>
  edit(trx, tasks, {
    decide: (task) => {
      if (has(task, tag)) return skipped(messages.tag_present(task.title))
      return task.tags.length >= limits.tags_max ? refused(fieldMessages.tags_many) : 'change'
    },
    change: async (ids) => {
      const changed = await trx
        .updateTable('tasks')
        .set({ tags: sql<string[]>`tags || ${tag}::text`, updated_at: touched })
        .where(among(ids))
        .returning('id')
        .execute()
      return changed.map(({ id }) => id)
    },
    changed: ({ title }) => messages.tag_added(title, tag),
    former: ({ tags }) => ({ tags }),
    concerns_runs: false,
  })

/** Removes a tag from tasks, without regard to case. */
export async function removeTag(trx: Trx, tag: string, tasks: readonly BulkTask[]): Promise<Acted> {
  const spellings = new Set(tasks.flatMap(({ tags }) => tags.filter((own) => tagKey(own) === tagKey(tag))))
  return edit(trx, tasks, {
    decide: (task) => (has(task, tag) ? 'change' : skipped(messages.tag_absent(task.title))),
    change: async (ids) => {
      const changed = await trx
        .updateTable('tasks')
        .set({
          tags: sql<string[]>`array(
            select own from unnest(tags) with ordinality as t (own, place)
            where own <> all (${[...spellings]}::text[]) order by place)`,
          updated_at: touched,
        })
        .where(among(ids))
        .returning('id')
        .execute()
      return changed.map(({ id }) => id)
    },
    changed: ({ title }) => messages.tag_removed(title, tag),
    former: ({ tags }) => ({ tags }),
    concerns_runs: false,
  })
}
