import type { Kysely } from 'kysely'
import type { Database, TaskCategory } from './schema.ts'

/** The person who does something, as the audit log names them. */
export type Actor = { id: number; email: string }

type Entry = {
  /** What was done, a verb: create, update, delete, execute … */
  action: string
  object_type:
    | `${TaskCategory}_task`
    | `${TaskCategory}_task_type`
    | 'allowed_host'
    | 'connection'
    | 'schedule'
    | 'service_account'
    | 'sync_preset'
    | 'user'
    | 'log_file'
    | 'pipeline'
  object_id: number | null
  details?: Record<string, unknown>
  result?: string
}

/** Adds a line to the audit log, which is insert only. Called in the transaction of what it records, so that neither is kept without the other. */
export async function audit(db: Kysely<Database>, actor: Actor, entry: Entry) {
  await auditAll(db, actor, [entry])
}

/** The same for several lines, at least one. */
export async function auditAll(db: Kysely<Database>, actor: Actor, entries: Entry[]): Promise<void> {
  await db
    .insertInto('audit_log')
    .values(
      entries.map((entry) => ({
        user_id: actor.id,
        actor: actor.email,
        action: entry.action,
        object_type: entry.object_type,
        object_id: entry.object_id === null ? null : String(entry.object_id),
        details: JSON.stringify(entry.details ?? {}),
        result: entry.result ?? 'done',
      })),
    )
    .execute()
}
