import type { z } from 'zod'
import type { RevertBody } from '../../../contract/setting-changes/calls.ts'
import { settingChangeServerMessages as messages } from '../../../contract/setting-changes/server-messages.ts'
import { formatMoment } from '../../engine/log-entries.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { readChanges, type Subject } from './merged-changes.ts'
import { NOT_EDITABLE, readAuthors } from './read-history.ts'
import { labelOf } from './words.ts'

const ALL = 2_147_483_647

/** Former values of settings by column, and the edit that restores them. */
export type FormerValues = { actor: Actor; before: Record<string, unknown>; updated_at: string }

/**
 * The values that a change of the settings of a task or type replaced, by column, for an ordinary edit by the returned actor. Throws NamedError
 * `change_not_found`, `change_not_revertible`, and `changed_since` if a later change set one of these settings and `overwrite` is
 * false.
 */
export async function valuesBefore(
  db: Db,
  actor: Actor,
  { subject, zone }: { subject: Subject; zone: string },
  { change_id, overwrite, updated_at }: z.output<typeof RevertBody>,
): Promise<FormerValues> {
  // Read first: an edit after it is a conflict of the update.
  const current = await db
    .selectFrom('task_id' in subject ? 'tasks' : 'task_types')
    .select('updated_at')
    .where('id', '=', 'task_id' in subject ? subject.task_id : subject.task_type_id)
    .executeTakeFirst()
  const [change] = await readChanges(db, subject, { only: change_id, limit: 1 })
  if (change === undefined || current === undefined) throw new NamedError('change_not_found')
  const { [NOT_EDITABLE]: _, ...before } = change.before
  const columns = Object.keys(before)
  if (columns.length === 0) throw new NamedError('change_not_revertible')
  if (!overwrite) {
    const newer = await readChanges(db, subject, { newer_than: change.id, limit: ALL })
    const later = newer.find(({ after }) => columns.some((column) => column in after))
    if (later) {
      const author = (await readAuthors(db, subject, [later])).get(later.xact)
      throw new NamedError('changed_since', {
        message: messages.changed_since(
          columns.filter((column) => column in later.after).map(labelOf),
          author?.actor ?? messages.rowferry,
          formatMoment(later.at, zone),
        ),
      })
    }
  }
  return {
    actor: { ...actor, reverts: { id: change.id, at: change.at.toISOString() } },
    before,
    updated_at: updated_at ?? current.updated_at.toISOString(),
  }
}
