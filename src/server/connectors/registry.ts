import { z } from 'zod'
import type { Keys } from '../platform/auth/keys.ts'
import type { Db } from '../platform/db.ts'
import type { Bound, Source, Target } from './connector.ts'
import { openDatabase } from './database/source.ts'
import type { AllowedAccounts } from './google-sheets/accounts.ts'
import type { Google } from './google-sheets/google.ts'
import { removeTabsOfRun } from './google-sheets/run-tabs.ts'
import type { GoogleSession } from './google-sheets/session.ts'
import { openTarget } from './google-sheets/sheet-target.ts'
import { openSource } from './google-sheets/source.ts'
import { sweepTabs } from './google-sheets/sweep-tabs.ts'
import { openApi } from './http-api/source.ts'
import { openInternal } from './internal/source.ts'
import type { OriginUse } from './origin-use.ts'
import { readConnection, readHostRules } from './stored-connection.ts'
import type { TargetUse } from './target-use.ts'

const SheetReference = z.object({
  provider: z.literal('google-sheets'),
  spreadsheet_id: z.string(),
  sheet_id: z.int().nullable(),
  sheet_name: z.string(),
  /** The header row, counted from 1. */
  start_row: z.int().min(1),
})

/** What names a source, whoever provides it; JSON, so that it can be frozen into a run. */
export const SourceReference = z.discriminatedUnion('provider', [
  SheetReference,
  z.object({ provider: z.enum(['http-api', 'database']), connection_id: z.int() }),
  /** The stored rows of another task. */
  z.object({ provider: z.literal('internal'), task_id: z.int() }),
])
export type SourceReference = z.infer<typeof SourceReference>

/** What names a target, whoever provides it. */
export type TargetReference = z.infer<typeof SheetReference>

/** Requests to Google on behalf of whose accounts may be used. Throws OriginFailure where none may. */
type GoogleUse = { google: () => Promise<GoogleSession> }

/** What whoever opens a source lends to it; which hosts may be reached is read when it is opened. */
export type SourceUse = Omit<OriginUse, 'rules'> &
  GoogleUse & {
    /** Cells that it had when it was seen last (null: it never was), if its rows are wanted with its opening. */
    at_once?: { former_cells: number | null }
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
        const source = await openSource(await use.google(), {
          ...reference,
          chunk_size: use.chunk_size,
          at_once: use.at_once,
        })
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

/** Opens targets by their references, and takes back what runs have left in them. Throws OriginFailure. */
export type Targets = {
  open(reference: TargetReference, use: TargetUse & GoogleUse): Promise<Target>
  /** Takes back at once what a run has made beside its target that does not go on. */
  cleanUp(reference: TargetReference, run: { run_id: number; accounts: AllowedAccounts }): Promise<void>
  /** Takes back what runs have left behind that are over; a few seconds at most. */
  sweep(): Promise<void>
}

/** Binds the connectors to what each of them needs. */
export function createTargets({ db, google }: { db: Db; google: Google }): Targets {
  return {
    open: async (reference, use) => openTarget(db, await use.google(), reference, use),
    cleanUp: ({ spreadsheet_id }, run) => removeTabsOfRun({ db, google }, { ...run, spreadsheet_id }),
    sweep: () => sweepTabs(db, google),
  }
}
