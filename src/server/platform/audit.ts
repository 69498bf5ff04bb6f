import type { Kysely } from 'kysely'
import { insertRows } from './insert-rows.ts'
import { requestId } from './log-context.ts'
import type { Database, TaskCategory } from './schema.ts'

/** The person who does something, as the audit log names them; with the name of the token where a program does it for them. */
export type Actor = { id: number; email: string; token?: string }

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
    | 'token'
    | 'webhook'
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
  const rows = entries.map(({ action, object_type, object_id, details = {}, result = 'done' }) => ({
    user_id: actor.id,
    actor: actor.email,
    action,
    object_type,
    object_id: object_id === null ? null : String(object_id),
    details: actor.token === undefined ? details : { ...details, token: actor.token },
    result,
    request_id: requestId(),
  }))
  await insertRows(db, 'audit_log', rows).execute()
}
