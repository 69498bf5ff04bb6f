import { z } from 'zod'
import type { Keys } from '../platform/auth/keys.ts'
import type { Db } from '../platform/db.ts'
import type { Source } from './connector.ts'
import { openDatabase } from './database/source.ts'
import type { GoogleSession } from './google-sheets/session.ts'
import { type Bound, openSource } from './google-sheets/source.ts'
import { openApi } from './http-api/source.ts'
import { openInternal } from './internal/source.ts'
import type { OriginUse } from './origin-use.ts'
import { readConnection, readHostRules } from './stored-connection.ts'

/** What names a source, whoever provides it; JSON, so that it can be frozen into a run. */
export const SourceReference = z.discriminatedUnion('provider', [
  z.object({
    provider: z.literal('google-sheets'),
    spreadsheet_id: z.string(),
    sheet_id: z.int().nullable(),
    sheet_name: z.string(),
    /** The header row, counted from 1. */
    start_row: z.int().min(1),
    /** Whether its rows are wanted with its opening, unless they are too many. */
    at_once: z.boolean().optional(),
  }),
  z.object({ provider: z.enum(['http-api', 'database']), connection_id: z.int() }),
  /** The stored rows of another task. */
  z.object({ provider: z.literal('internal'), task_id: z.int() }),
])
export type SourceReference = z.infer<typeof SourceReference>

/** What whoever opens a source lends to it; which hosts may be reached is read when it is opened. */
export type SourceUse = Omit<OriginUse, 'rules'> & {
  /** Requests to Google on behalf of whose accounts may be used. Throws OriginFailure where none may. */
  google: () => Promise<GoogleSession>
}

/** A source, opened by its reference. */
export type OpenSource = Source & {
  /** Of a spreadsheet's tab: what a task keeps of it. */
  bound: Bound | null
  /** Another one as soon as the same reference means something else, so that no earlier reading may be gone on with. */
  version: string
}

/** Opens sources by their references. Throws OriginFailure. */
export type Sources = { open(reference: SourceReference, use: SourceUse): Promise<OpenSource> }

/** What the connectors need besides: the keys that open secrets, the folder of SQLite files, and the database that is never an origin. */
export type SourceDeps = { db: Db; keys: Keys; sqlite_folder: string | null; own_database: string }

/** Binds the connectors to what each of them needs. */
export function createSources({ db, keys, sqlite_folder, own_database }: SourceDeps): Sources {
  return {
    async open(reference, use) {
      if (reference.provider === 'google-sheets') {
        const source = await openSource(await use.google(), { ...reference, chunk_size: use.chunk_size })
        return { ...source, version: String(source.bound.sheet_id) }
      }
      const guarded = { ...use, rules: await readHostRules(db) }
      if (reference.provider === 'internal') {
        const source = await openInternal(db, reference.task_id, guarded)
        return { ...source, bound: null, version: '' }
      }
      const { name, settings, version } = await readConnection(db, keys, reference.connection_id)
      const source =
        settings.kind === 'api'
          ? await openApi({ name, settings }, guarded)
          : await openDatabase({ name, settings }, { ...guarded, sqlite_folder, own_database })
      return { ...source, bound: null, version }
    },
  }
}
