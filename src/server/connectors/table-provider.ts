import { z } from 'zod'
import { CsvSettings } from '../../contract/files/csv-settings.ts'
import type { Spreadsheet, SpreadsheetTabs } from '../../contract/spreadsheets/calls.ts'
import type { CellValue } from '../../contract/tables.ts'
import type { Source, TabIdentity, Target } from './connector.ts'
import { CsvTargetSettings } from './csv-target-settings.ts'
import type { AllowedAccounts } from './google-sheets/client/accounts.ts'
import type { GoogleSession } from './google-sheets/client/session.ts'
import type { SourceContext } from './source-context.ts'
import type { TargetContext } from './target-context.ts'

/** The provider that is offered in forms. */
export const GOOGLE_SHEETS = 'google-sheets'

const Reference = z.object({
  /** Name of the provider. */
  provider: z.string(),
  spreadsheet_id: z.string(),
  /** The provider's id of the table, which survives renaming; null until a run has seen it. */
  place: z.string().nullable(),
  sheet_name: z.string(),
  /** The header row, counted from 1. */
  start_row: z.int().min(1),
  /** How a CSV file is read; default as it is found. */
  read_as: z.optional(CsvSettings),
  /** How a CSV file is written; default as it is. */
  csv: CsvTargetSettings.optional(),
})

/** The reference that earlier versions stored as a number. */
export const ofNumber = (sheet_id: number | null): Pick<TableReference, 'provider' | 'place'> => ({
  provider: GOOGLE_SHEETS,
  place: sheet_id === null ? null : String(sheet_id),
})

const Numbered = z.looseObject({ sheet_id: z.int().nullable(), place: z.never().optional() })

/** Reference to a table. It is JSON, because it is stored with a run. */
export const TableReference = z.preprocess((stored) => {
  const numbered = Numbered.safeParse(stored)
  return numbered.success ? { ...numbered.data, ...ofNumber(numbered.data.sheet_id) } : stored
}, Reference)
export type TableReference = z.infer<typeof Reference>

/** Provides a session with the accounts that may be used. Throws OriginFailure if there is none. */
type CredentialProvider = { google: () => Promise<GoogleSession> }

/** What the caller of a source provides; the list of allowed hosts is read when the source is opened. */
export type ReferenceContext = Omit<SourceContext, 'rules'> &
  CredentialProvider & {
    /** The user in whose name files are read, for folders that are limited to some people. */
    user_id?: number | null
    /**
     * If set, small tables are read with their opening. `former_cells`: cells when it was last read; null if it never
     * was.
     */
    at_once?: { former_cells: number | null }
  }

/** A signed-in user. */
export type Person = { user_id: number; email: string }

/** Whether a table can be copied from now, with a message. */
export type Readiness = { ready: boolean; message: string }

/** What forms show before anything runs. Every method throws OriginFailure or the reason of the signal. */
export type SpreadsheetCatalog = {
  /** Up to 100 spreadsheets that the user can open, last changed first. `search` filters by name. */
  list(person: Person, search: string, signal: AbortSignal): Promise<Spreadsheet[]>
  /** Name and tables of a spreadsheet. */
  describe(person: Person, spreadsheet_id: string, signal: AbortSignal): Promise<SpreadsheetTabs>
  /** Number of rows below a header row (counted from 1); 0 if the table does not exist. */
  currentRows(
    person: Person,
    table: Pick<TableReference, 'spreadsheet_id' | 'sheet_name' | 'start_row'>,
    signal: AbortSignal,
  ): Promise<number>
  /**
   * Name of a spreadsheet, or the reason why no account can open it; neither if that is not known in time. Throws OriginFailure
   * `forbidden` for a file that the user of the task may not use.
   */
  find(
    accounts: AllowedAccounts,
    spreadsheet_id: string,
    signal: AbortSignal,
  ): Promise<{ name: string | null; error: string | null }>
  /**
   * Looks at a target that need not exist. Absent: targets are found as sources are. Throws OriginFailure if a run could not write it.
   */
  inspectTarget?(spreadsheet_id: string, user_id: number | null): Promise<TargetInspection>
  /**
   * Whether a source can be read, has rows below its header and no cells that are still loading. Failures are
   * returned.
   */
  readiness(
    question: Omit<TableReference, 'provider'> & AllowedAccounts,
    signal: AbortSignal,
  ): Promise<Readiness>
  /** The cell of a target as it is now; a formula as text that begins with "=". Row and column count from 0. */
  readCell(
    cell: Omit<TableReference, 'provider' | 'start_row'> & AllowedAccounts & { row: number; column: number },
    signal: AbortSignal,
  ): Promise<CellValue>
}

/** A file as a target. `message`: what is known about it. */
export type TargetInspection = { name: string; exists: boolean; message: string }

/** A provider of tables to copy from and to. All methods throw OriginFailure. */
export type TableProvider = {
  openSource(
    reference: TableReference,
    context: ReferenceContext,
  ): Promise<Source & { identity: TabIdentity }>
  openTarget(reference: TableReference, context: TargetContext & CredentialProvider): Promise<Target>
  places: SpreadsheetCatalog
  /** The folder that a process must have to open a spreadsheet; null: none. Absent: none for any. */
  mountOf?(spreadsheet_id: string): string | null
  /** Removes the staging data of a run that does not continue. */
  cleanUp(reference: TableReference, run: { run_id: number; accounts: AllowedAccounts }): Promise<void>
  /** Removes the staging data of all ended runs; takes a few seconds at most. */
  sweep(): Promise<void>
}
