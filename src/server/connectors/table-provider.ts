import { z } from 'zod'
import type { Spreadsheet, SpreadsheetTabs } from '../../contract/spreadsheets.ts'
import type { Bound, Source, Target } from './connector.ts'
import type { AllowedAccounts } from './google-sheets/client/accounts.ts'
import type { GoogleSession } from './google-sheets/client/session.ts'
import type { OriginUse } from './origin-use.ts'
import type { TargetUse } from './target-use.ts'

/** Who keeps the tables that people choose from. */
export const GOOGLE_SHEETS = 'google-sheets'

const Reference = z.object({
  /** Who keeps it. */
  provider: z.string(),
  spreadsheet_id: z.string(),
  /** By what its provider finds it again, whatever it is called by then; null until a run has seen it. */
  place: z.string().nullable(),
  sheet_name: z.string(),
  /** The header row, counted from 1. */
  start_row: z.int().min(1),
})

/** What a version before kept of a table, by its number: there was one provider. */
export const ofNumber = (sheet_id: number | null): Pick<TableReference, 'provider' | 'place'> => ({
  provider: GOOGLE_SHEETS,
  place: sheet_id === null ? null : String(sheet_id),
})

const Numbered = z.looseObject({ sheet_id: z.int().nullable(), place: z.never().optional() })

/** What names a table, whoever keeps it; JSON, so that it can be frozen into a run. */
export const TableReference = z.preprocess((stored) => {
  const numbered = Numbered.safeParse(stored)
  return numbered.success ? { ...numbered.data, ...ofNumber(numbered.data.sheet_id) } : stored
}, Reference)
export type TableReference = z.infer<typeof Reference>

/** Requests to Google on behalf of whose accounts may be used. Throws OriginFailure where none may. */
type GoogleUse = { google: () => Promise<GoogleSession> }

/** What whoever opens a source lends to it; which hosts may be reached is read when it is opened. */
export type SourceUse = Omit<OriginUse, 'rules'> &
  GoogleUse & {
    /** Cells that it had when it was seen last (null: it never was), if its rows are wanted with its opening. */
    at_once?: { former_cells: number | null }
  }

/** Somebody at a page, as providers know them. */
export type Person = { user_id: number; email: string }

/** Whether a table can be copied from now, and a sentence that says it. */
export type Readiness = { ready: boolean; message: string }

/** What there is to choose from and to look at before anything runs. Every method throws OriginFailure, or the reason of the signal. */
export type Places = {
  /** Spreadsheets that the person can open, last changed first, at most 100; `search` looks in their names. */
  list(person: Person, search: string, signal: AbortSignal): Promise<Spreadsheet[]>
  /** Name and tables of a spreadsheet. */
  describe(person: Person, spreadsheet_id: string, signal: AbortSignal): Promise<SpreadsheetTabs>
  /** Rows that a table holds below its header row (counted from 1); 0 where there is no such table. */
  heldRows(
    person: Person,
    table: Pick<TableReference, 'spreadsheet_id' | 'sheet_name' | 'start_row'>,
    signal: AbortSignal,
  ): Promise<number>
  /** What a spreadsheet is called, or why none of the accounts can open it; neither if that is not known in time. */
  find(
    accounts: AllowedAccounts,
    spreadsheet_id: string,
    signal: AbortSignal,
  ): Promise<{ name: string | null; error: string | null }>
  /** Whether a source can be read, has data below its header and no cell that still loads. An error is an answer too. */
  readiness(
    question: Omit<TableReference, 'provider'> & AllowedAccounts,
    signal: AbortSignal,
  ): Promise<Readiness>
}

/** Who keeps tables that can be copied from and to. All throw OriginFailure. */
export type TableProvider = {
  openSource(reference: TableReference, use: SourceUse): Promise<Source & { bound: Bound }>
  openTarget(reference: TableReference, use: TargetUse & GoogleUse): Promise<Target>
  places: Places
  /** Takes back at once what a run has made beside its target that does not go on. */
  cleanUp(reference: TableReference, run: { run_id: number; accounts: AllowedAccounts }): Promise<void>
  /** Takes back what runs have left behind that are over; a few seconds at most. */
  sweep(): Promise<void>
}
