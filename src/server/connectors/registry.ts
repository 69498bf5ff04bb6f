import { z } from 'zod'
import type { Keys } from '../platform/auth/keys.ts'
import type { Db } from '../platform/db.ts'
import { OriginFailure, type Source, type TabIdentity } from './connector.ts'
import { openDatabase } from './database/source.ts'
import { openApi } from './http-api/source.ts'
import { openInternal } from './internal/source.ts'
import { readConnection, readHostRules } from './stored-connection.ts'
import {
  type ReferenceContext,
  type SpreadsheetCatalog,
  type TableProvider,
  TableReference,
} from './table-provider.ts'

/** Reference to a source. It is JSON, because it is stored with a run. */
export const SourceReference = z.union([
  z.object({ provider: z.enum(['http-api', 'database']), connection_id: z.int() }),
  /** Stored rows of another task. */
  z.object({ provider: z.literal('internal'), task_id: z.int() }),
  TableReference,
])
export type SourceReference = z.infer<typeof SourceReference>

/** An opened source. */
export type OpenSource = Source & {
  /** For tables of a provider: what the task stores about the tab. */
  identity: TabIdentity | null
  /** Changes when the reference means something else, so that an interrupted reading is not resumed with it. */
  version: string
}

/** Opens sources by reference. Throws OriginFailure. */
export type Sources = { open(reference: SourceReference, context: ReferenceContext): Promise<OpenSource> }

/** Providers of tables by the name that references use. */
export type TableProviders = Readonly<Record<string, TableProvider>>

/**
 * Dependencies: keys for secrets, the folder of SQLite files, and Rowferry's own database, which must never be a
 * source.
 */
export type SourceDeps = { db: Db; keys: Keys; sqlite_folder: string | null; own_database: string }

/** Creates the sources from their dependencies. */
export function createSources(
  tables: TableProviders,
  { db, keys, sqlite_folder, own_database }: SourceDeps,
): Sources {
  return {
    async open(reference, context) {
      if ('spreadsheet_id' in reference) {
        const source = await providerOf(tables, reference).openSource(reference, context)
        return { ...source, version: source.identity.tab_id }
      }
      const guarded = { ...context, rules: await readHostRules(db) }
      if ('task_id' in reference) {
        const source = await openInternal(db, reference.task_id, guarded)
        return { ...source, identity: null, version: '' }
      }
      const { name, settings, version } = await readConnection(db, keys, reference.connection_id)
      const source =
        settings.kind === 'api'
          ? await openApi({ name, settings }, guarded)
          : await openDatabase({ name, settings }, { ...guarded, sqlite_folder, own_database })
      return { ...source, identity: null, version }
    },
  }
}

/** Opens targets by reference and cleans up after runs. Throws OriginFailure. */
export type Targets = {
  open: TableProvider['openTarget']
  cleanUp: TableProvider['cleanUp']
  /** Removes what ended runs have left in any target; takes a few seconds at most per provider. */
  sweep: TableProvider['sweep']
}

/** Targets of all providers. */
export const createTargets = (tables: TableProviders): Targets => ({
  open: async (reference, context) => providerOf(tables, reference).openTarget(reference, context),
  cleanUp: async (reference, run) => providerOf(tables, reference).cleanUp(reference, run),
  async sweep() {
    for (const provider of Object.values(tables)) await provider.sweep()
  },
})

/** The spreadsheets and tables to choose from at one provider. Throws OriginFailure for an unknown provider. */
export type PlacesOf = (provider: string) => SpreadsheetCatalog

/** Catalogs of all providers. */
export const createPlaces =
  (tables: TableProviders): PlacesOf =>
  (provider) =>
    providerOf(tables, { provider }).places

/** The folder that a worker must have to open a spreadsheet; null: none. */
export const createMountOf =
  (tables: TableProviders) =>
  ({ provider, spreadsheet_id }: { provider: string; spreadsheet_id: string }): string | null =>
    (spreadsheet_id !== '' && tables[provider]?.mountOf?.(spreadsheet_id)) || null

function providerOf(tables: TableProviders, { provider }: { provider: string }): TableProvider {
  const found = Object.hasOwn(tables, provider) ? tables[provider] : undefined
  if (!found) throw new OriginFailure('invalid', `No tables of ‘${provider}’ can be opened here.`)
  return found
}
