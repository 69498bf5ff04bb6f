import type { Kysely } from 'kysely'
import { insertRows } from './insert-rows.ts'
import { requestId } from './log-context.ts'
import type { Database, TaskCategory } from './schema.ts'

/** The user who acts, as the audit log names them, with the API token if a program acts for them. */
export type Actor = {
  id: number
  email: string
  token?: string
  /** The change of settings that the action reverts, and when that was made. */
  reverts?: { id: number; at: string }
}

type Entry = {
  /** The action, a verb: create, update, delete, execute … */
  action: string
  object_type:
    | `${TaskCategory}_task`
    | `${TaskCategory}_task_type`
    | 'allowed_host'
    | 'connection'
    | 'folder'
    | 'schedule'
    | 'saved_view'
    | 'service_account'
    | 'spreadsheet'
    | 'sync_preset'
    | 'user'
    | 'log_file'
    | 'pipeline'
    | 'run_limits'
    | 'token'
    | 'webhook'
  object_id: number | null
  details?: Record<string, unknown>
  result?: string
}

/**
 * Adds an entry to the insert-only audit log. Call it in the transaction of the change, so that both are stored or
 * neither.
 */
export async function audit(db: Kysely<Database>, actor: Actor, entry: Entry) {
  await auditAll(db, actor, [entry])
}

/** Adds one or more entries. */
export async function auditAll(db: Kysely<Database>, actor: Actor, entries: Entry[]): Promise<void> {
  const rows = entries.map(({ action, object_type, object_id, details = {}, result = 'done' }) => ({
    user_id: actor.id,
    actor: actor.email,
    action,
    object_type,
    object_id: object_id === null ? null : String(object_id),
    details: {
      ...details,
      ...(actor.token !== undefined && { token: actor.token }),
      ...(actor.reverts && { reverts: actor.reverts }),
    },
    result,
    request_id: requestId(),
  }))
  await insertRows(db, 'audit_log', rows).execute()
}
