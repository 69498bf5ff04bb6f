import { sql } from 'kysely'
import { z } from 'zod'
import type { SettingChange } from '../../../contract/setting-changes/calls.ts'
import { settingChangeServerMessages as messages } from '../../../contract/setting-changes/server-messages.ts'
import type { Db } from '../../platform/db.ts'
import { type MergedChange, readChanges, type Subject } from './merged-changes.ts'
import { inWords, labelOf, readNames } from './words.ts'

/** Columns that no edit sets: an account is made the run account by its owner only. */
export const NOT_EDITABLE = 'account_user_id'

/** A page of the changes of settings, newest first, with the cursor of the next page. */
export async function readSettingChanges(
  db: Db,
  subject: Subject,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<{ changes: SettingChange[]; next: number | null }> {
  const page = await readChanges(db, subject, { older_than: cursor, limit: limit + 1 })
  const shown = page.slice(0, limit)
  const names = await readNames(
    db,
    shown.flatMap(({ before, after }) => [before, after]),
  )
  const authors = await readAuthors(db, subject, shown)
  const changes = shown
    .filter(({ after }) => Object.keys(after).length > 0)
    .map((change): SettingChange => {
      const columns = Object.keys(change.after)
      return {
        id: change.id,
        at: change.at.toISOString(),
        ...(authors.get(change.xact) ?? nobody),
        fields: columns.map((field) => ({
          field,
          label: labelOf(field),
          before: inWords(field, change.before[field], names),
          after: inWords(field, change.after[field], names),
        })),
        not_revertible: columns.every((column) => column === NOT_EDITABLE) ? messages.account_only : null,
      }
    })
  return { changes, next: page.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

type Author = Pick<SettingChange, 'actor' | 'token' | 'bulk' | 'imported_from' | 'is_undo' | 'reverts'>

const nobody: Author = {
  ...{ actor: null, token: null, bulk: null, imported_from: null },
  ...{ is_undo: false, reverts: null },
}

const Details = z.object({
  bulk: z.optional(z.int()),
  token: z.optional(z.string()),
  filename: z.optional(z.string()),
  reverts: z.optional(z.object({ at: z.string() })),
})

/** Who made these changes, by transaction, from the audit log. Index: audit_log_xact_idx. */
export async function readAuthors(
  db: Db,
  subject: Subject,
  changes: readonly Pick<MergedChange, 'xact' | 'at'>[],
): Promise<Map<string, Author>> {
  if (changes.length === 0) return new Map()
  const id = String('task_id' in subject ? subject.task_id : subject.task_type_id)
  const kind = 'task_id' in subject ? '_task' : '_task_type'
  const { rows } = await sql<{
    xact: string
    actor: string
    action: string
    details: unknown
    is_own: boolean
  }>`
    select a.xact::text as xact, a.actor, a.action, a.details,
      a.object_id = ${id} and a.object_type like ${`%${kind}`} as is_own
    from unnest(${changes.map(({ xact }) => xact)}::text[], ${changes.map(({ at }) => at)}::timestamptz[]) as change (xact, at)
    join audit_log a on a.xact = change.xact::xid8
      -- After a restore, another transaction can have the same id.
      and date_trunc('milliseconds', a.at) = change.at
    where (a.object_id = ${id} and a.object_type like ${`%${kind}`})
      -- A call on all tasks, an import, or an edit of the type of the task.
      or a.object_id is null or (${kind} = '_task' and a.object_type like '%\\_task\\_type')
    order by is_own, a.id desc`.execute(db)
  const authors = new Map<string, Author>()
  // The entry of the subject itself comes last and counts; an import names its file in another one.
  for (const { xact, actor, action, details } of rows) {
    const { bulk, token, filename, reverts } = Details.parse(details)
    authors.set(xact, {
      actor,
      token: token ?? null,
      bulk: bulk !== undefined && bulk > 1 ? bulk : null,
      imported_from: (action === 'import' ? filename : undefined) ?? authors.get(xact)?.imported_from ?? null,
      is_undo: action === 'undo',
      reverts: reverts?.at ?? null,
    })
  }
  return authors
}
