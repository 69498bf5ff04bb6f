import { z } from 'zod'
import type { Db } from '../platform/db.ts'
import { OriginFailure, type Source } from './connector.ts'
import type { GoogleSession } from './google-sheets/session.ts'
import { type Bound, openSource } from './google-sheets/source.ts'
import type { OriginUse } from './origin-use.ts'

/** What names a source, whoever provides it; JSON, so that it can be frozen into a run. */
export const SourceReference = z.discriminatedUnion('provider', [
  z.object({
    provider: z.literal('google-sheets'),
    spreadsheet_id: z.string(),
    sheet_id: z.int().nullable(),
    sheet_name: z.string(),
    /** The header row, counted from 1. */
    start_row: z.int().min(1),
  }),
  z.object({ provider: z.literal('http-api'), connection_id: z.int() }),
  z.object({ provider: z.literal('database'), connection_id: z.int() }),
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

/** Binds the connectors to what each of them needs. */
export function createSources(_deps: { db: Db }): Sources {
  return {
    async open(reference, use) {
      switch (reference.provider) {
        case 'google-sheets': {
          const source = await openSource(await use.google(), { ...reference, chunk_size: use.chunk_size })
          return { ...source, version: String(source.bound.sheet_id) }
        }
        case 'http-api':
        case 'database':
        case 'internal':
          throw new OriginFailure('invalid', `Nothing opens ${reference.provider} yet.`)
      }
    },
  }
}
