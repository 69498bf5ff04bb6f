import * as z from 'zod/mini'
import { FileEncoding } from '../connections/file-encoding.ts'
import { Id, SheetNameOrBlank, SpreadsheetOrFolderFileOrBlank } from '../fields.ts'
import { limits } from '../limits.ts'
import { writeFieldMessages as messages } from './field-messages.ts'

const Header = z
  .string()
  .check(z.trim(), z.minLength(1, messages.header_required), z.maxLength(limits.condition_characters))

const refuseRepeatedHeaders = z.superRefine<string[]>((headers, context) => {
  for (const [index, header] of headers.entries())
    if (headers.indexOf(header) < index)
      context.addIssue({ code: 'custom', path: [index], message: messages.key_column_twice(header) })
})

/** A further source of a sync task: its rows follow those of the sources before it. */
export const FurtherSource = z
  .strictObject({
    source_type: z.enum(['sheet', 'internal']),
    /** Blank for an internal source. */
    source_ss_id: SpreadsheetOrFolderFileOrBlank,
    /** Blank for the first tab. */
    source_sheet_name: SheetNameOrBlank,
    source_compiler_config_id: z.nullable(Id),
  })
  .check(
    z.refine((source) => source.source_type === 'internal' || source.source_ss_id !== '', {
      message: messages.spreadsheet_required,
      path: ['source_ss_id'],
    }),
    z.refine((source) => source.source_type === 'sheet' || source.source_compiler_config_id !== null, {
      message: messages.config_required,
      path: ['source_compiler_config_id'],
    }),
  )
export type FurtherSource = z.infer<typeof FurtherSource>

/** The sources behind the first one, in their order. */
export const FurtherSources = z.array(FurtherSource).check(z.maxLength(limits.further_sources_max))

/** Settings of a sync task that say how rows come into the target. Columns are named by their headers in the target. */
export const writeSettings = {
  /** `replace`: the target becomes equal to the source. `update`: rows are matched by key and stay where they are. `append`: rows are only added. */
  write_mode: z.enum(['replace', 'update', 'append']),
  /** Columns that identify a row. `update` needs at least one. */
  key_columns: z.array(Header).check(z.maxLength(limits.key_columns_max), refuseRepeatedHeaders),
  /** What happens to rows (of a split task: tabs) that the task wrote and the source no longer has. */
  on_missing: z.enum(['keep', 'clear', 'mark']),
  /** Column of the target that `mark` writes to. */
  mark_column: z.nullable(Header),
  /** Text that `mark` writes; `{date}` becomes the date of the run. */
  mark_text: z
    .string()
    .check(z.trim(), z.minLength(1, messages.mark_text_required), z.maxLength(limits.condition_characters)),
  /** What a blank or repeated key does: the run fails before it writes, or skips these rows with a warning. */
  on_bad_keys: z.enum(['fail', 'skip']),
  /** Whether columns of the target are found by their headers; otherwise they stand in the order of the source from the first column. */
  find_columns_by_header: z.boolean(),
  /** What `replace` does if cells beside the table would end up beside another row: the run fails before it writes, or ends with a warning. Null, for tasks of earlier releases: a warning, until a person saves the task. */
  on_cells_beside: z.nullable(z.enum(['fail', 'warn'])),
  /** Sources behind the first one. */
  more_sources: FurtherSources,
  /** Column whose values are written to a tab each; null: all rows are written to one tab. */
  split_by: z.nullable(Header),
  /** Name of the tab of a value, with `{value}`. */
  split_tab_name: z.string().check(
    z.refine((name) => name.includes('{value}'), messages.value_required),
    z.maxLength(limits.condition_characters),
  ),
  /** Delimiter of a CSV file that is the target; null: as the file has it, and for a new one a comma (.tsv: a tab). */
  target_csv_delimiter: z.nullable(z.enum([',', ';', '\t', '|'])),
  /** Whether a CSV file that is the target begins with a byte order mark, by which Excel recognises UTF-8; null: as the file has it, and for a new one without. */
  target_csv_encoding: z.nullable(z.enum(['utf-8', 'utf-8-bom'])),
  /** How the CSV files are read that are sources; null: as it is found in the file. */
  source_csv_delimiter: z.nullable(z.enum([',', ';', '\t', '|'])),
  source_csv_encoding: z.nullable(FileEncoding),
  source_csv_quote: z.nullable(z.enum(['"', "'"])),
}

/** As sync tasks without these settings have always written. */
export const replacedTable = {
  write_mode: 'replace',
  key_columns: [],
  on_missing: 'keep',
  mark_column: null,
  mark_text: 'Missing since {date}',
  on_bad_keys: 'fail',
  find_columns_by_header: false,
  on_cells_beside: 'fail',
  more_sources: [],
  split_by: null,
  split_tab_name: '{value}',
  target_csv_delimiter: null,
  target_csv_encoding: null,
  source_csv_delimiter: null,
  source_csv_encoding: null,
  source_csv_quote: null,
} as const satisfies z.input<z.ZodMiniObject<typeof writeSettings>>

export const WriteSettings = z.object(writeSettings)
export type WriteSettings = z.infer<typeof WriteSettings>
