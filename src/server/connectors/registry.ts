import { z } from 'zod'
import type { Keys } from '../platform/auth/keys.ts'
import type { Db } from '../platform/db.ts'
import { type Bound, OriginFailure, type Source } from './connector.ts'
import { openDatabase } from './database/source.ts'
import { openApi } from './http-api/source.ts'
import { openInternal } from './internal/source.ts'
import { readConnection, readHostRules } from './stored-connection.ts'
import { type Places, type SourceUse, type TableProvider, TableReference } from './table-provider.ts'

/** What names a source, whoever provides it; JSON, so that it can be frozen into a run. */
export const SourceReference = z.union([
  z.object({ provider: z.enum(['http-api', 'database']), connection_id: z.int() }),
  /** The stored rows of another task. */
  z.object({ provider: z.literal('internal'), task_id: z.int() }),
  TableReference,
])
export type SourceReference = z.infer<typeof SourceReference>

/** A source, opened by its reference. */
export type OpenSource = Source & {
  /** Of a table that a provider keeps: what a task keeps of it. */
  bound: Bound | null
  /** Another one as soon as the same reference means something else, so that no earlier reading may be gone on with. */
  version: string
}

/** Opens sources by their references. Throws OriginFailure. */
export type Sources = { open(reference: SourceReference, use: SourceUse): Promise<OpenSource> }

/** Who keeps tables, by the names that references call them. */
export type TableProviders = Readonly<Record<string, TableProvider>>

/** What the connectors need besides: the keys that open secrets, the folder of SQLite files, and the database that is never an origin. */
export type SourceDeps = { db: Db; keys: Keys; sqlite_folder: string | null; own_database: string }

/** Binds the connectors to what each of them needs. */
export function createSources(
  tables: TableProviders,
  { db, keys, sqlite_folder, own_database }: SourceDeps,
): Sources {
  return {
    async open(reference, use) {
      if ('spreadsheet_id' in reference) {
        const source = await providerOf(tables, reference).openSource(reference, use)
        return { ...source, version: source.bound.place }
      }
      const guarded = { ...use, rules: await readHostRules(db) }
      if ('task_id' in reference) {
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
  open: TableProvider['openTarget']
  cleanUp: TableProvider['cleanUp']
  /** Takes back what runs have left behind that are over, wherever; a few seconds at most for each provider. */
  sweep: TableProvider['sweep']
}

/** The targets of all providers. */
export const createTargets = (tables: TableProviders): Targets => ({
  open: async (reference, use) => providerOf(tables, reference).openTarget(reference, use),
  cleanUp: async (reference, run) => providerOf(tables, reference).cleanUp(reference, run),
  async sweep() {
    for (const provider of Object.values(tables)) await provider.sweep()
  },
})

/** What one of the providers has to choose from. Throws OriginFailure where there is no such provider. */
export type PlacesOf = (provider: string) => Places

/** The places of all providers. */
export const createPlaces =
  (tables: TableProviders): PlacesOf =>
  (provider) =>
    providerOf(tables, { provider }).places

function providerOf(tables: TableProviders, { provider }: { provider: string }): TableProvider {
  const found = Object.hasOwn(tables, provider) ? tables[provider] : undefined
  if (!found) throw new OriginFailure('invalid', `No tables of ‘${provider}’ can be opened here.`)
  return found
}
