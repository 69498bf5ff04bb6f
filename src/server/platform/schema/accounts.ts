import type { ColumnType, Generated } from 'kysely'
import type { Filled } from './column-types.ts'

/** Users, their sessions, grants and tokens, and what each of them reads, marks and saves. */
export type AccountTables = {
  users: {
    id: Generated<number>
    issuer: string
    subject: string
    email: string
    name: string
    picture: string | null
    hosted_domain: string | null
    shares_grant: Filled<boolean>
    disabled_at: Date | null
    last_sign_in_at: Filled<Date>
    created_at: Filled<Date>
  }
  sessions: {
    id_hash: Buffer
    user_id: number
    created_at: Filled<Date>
    last_seen_at: Filled<Date>
    expires_at: Date
  }
  grants: {
    user_id: number
    refresh_token: Buffer
    key_id: string
    scopes: string[]
    revoked_at: Date | null
    updated_at: Filled<Date>
    access_token: Filled<Buffer | null>
    access_ends_at: Filled<Date | null>
    disconnecting_at: Filled<Date | null>
    revoke_at: Filled<Date | null>
  }
  api_tokens: {
    id: Generated<number>
    user_id: number
    name: string
    access_right: string
    token_hash: Buffer
    hint: string
    created_at: Filled<Date>
    expires_at: Date
    last_used_at: Filled<Date | null>
  }
  audit_log: {
    id: Generated<string>
    at: Filled<Date>
    user_id: number | null
    actor: string
    action: string
    object_type: string
    object_id: string | null
    details: ColumnType<unknown, string | undefined, never>
    result: string
    request_id: string | null
    /** Transaction, as in `setting_changes`; null in entries of earlier versions. */
    xact: Filled<string | null>
  }
  notification_mails: {
    user_id: number
    kinds: string[]
    alarm_id: number
    change_id: Filled<string>
    due_at: Filled<Date>
    attempts: Filled<number>
    updated_at: Filled<Date>
  }
  notification_reads: {
    user_id: number
    alarm_id: Filled<number>
    change_id: Filled<string>
    keys: Filled<string[]>
    updated_at: Filled<Date>
  }
  favourites: {
    user_id: number
    task_id: number
    created_at: Filled<Date>
  }
  saved_views: {
    id: Generated<number>
    user_id: number
    list: 'sync' | 'source' | 'runs'
    name: string
    query: string
    is_shared: Filled<boolean>
    created_at: Filled<Date>
    updated_at: Filled<Date>
  }
  visits: {
    user_id: number
    started_at: Filled<Date>
    last_active_at: Filled<Date>
    previous_ended_at: Date | null
  }
  limited_folders: {
    folder: string
    user_ids: number[]
  }
}
