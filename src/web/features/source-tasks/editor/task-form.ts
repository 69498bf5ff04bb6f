import * as z from 'zod/mini'
import { DelimiterSetting, EncodingSetting } from '../../../../contract/connections/file-formats.ts'
import { Identifier } from '../../../../contract/connections/identifier.ts'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { Email, Name, SheetName, SheetNameOrBlank, SpreadsheetOrFile } from '../../../../contract/fields.ts'
import { QuoteSetting } from '../../../../contract/files/csv-settings.ts'
import { isFilePath } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import type { SourceTask, sourceTasks } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import type { OriginType } from '../../../../contract/source-tasks/edits.ts'
import type { RequestOf } from '../../../lib/call.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { copyName } from '../../../tasks/edit/copy-name.ts'
import { newOwnership, ownershipFields, ownershipValues } from '../../../tasks/ownership/ownership-form.ts'

/** Values of the form: the id of the type is text, a cleared number is blank. */
export type TaskValues = {
  name: string
  source_task_type_id: string | null
  source_type: OriginType | null
  chunk_size: number | string
  source_identifier: string
  spreadsheet_id: string
  sheet_name: string
  start_row: number | string
  description: string
  min_rows_percent: number | string
  max_rows: number | string
  csv_delimiter: SourceTask['csv_delimiter']
  csv_encoding: SourceTask['csv_encoding']
  csv_quote: SourceTask['csv_quote']
  /** Blank: none is expected. */
  file_expected_hours: number | string
  relevant_user_accounts: string[]
  is_active: boolean
  is_master_catalog: boolean
  owner_id: string | null
  tags: string[]
}

const wholeNumber = (min: number, max: number, low = fieldMessages.whole_number(min, max)) =>
  z.int(low).check(z.minimum(min, low), z.maximum(max, fieldMessages.whole_number(min, max)))

const anyOrigin = {
  name: Name,
  source_task_type_id: z.pipe(z.string(sourceMessages.type_required), z.transform(Number)),
  source_type: z.enum(['sheet', 'api', 'database', 'internal'], sourceMessages.source_type_required),
  chunk_size: wholeNumber(1, limits.chunk_size_max, sourceMessages.chunk_size_low),
  source_identifier: z.pipe(
    z.string().check(z.trim()),
    z.union([z.literal(''), Identifier], sourceMessages.identifier_invalid),
  ),
  spreadsheet_id: z.string(),
  sheet_name: z.string(),
  start_row: wholeNumber(1, limits.start_row_max),
  description: z
    .string()
    .check(z.trim(), z.maxLength(limits.description_characters, sourceMessages.description_long)),
  min_rows_percent: wholeNumber(0, 100),
  max_rows: wholeNumber(1, limits.source_rows_max),
  csv_delimiter: DelimiterSetting,
  csv_encoding: EncodingSetting,
  csv_quote: QuoteSetting,
  file_expected_hours: z.pipe(
    z.transform((hours: unknown) => (hours === '' ? null : hours)),
    z.nullable(wholeNumber(1, limits.file_expected_hours_max)),
  ),
  relevant_user_accounts: z.array(Email).check(z.maxLength(limits.accounts_max)),
  is_active: z.boolean(),
  is_master_catalog: z.boolean(),
  ...ownershipFields,
}

const sheet = {
  spreadsheet_id: z.pipe(
    z.string().check(z.trim(), z.minLength(1, sourceMessages.spreadsheet_required)),
    SpreadsheetOrFile,
  ),
  // Leading and trailing spaces are part of a tab's title.
  sheet_name: z.pipe(z.string().check(z.regex(/\S/, sourceMessages.sheet_name_required)), SheetName),
}

const identifier = (missing: string) =>
  z.pipe(z.string().check(z.trim(), z.minLength(1, missing)), anyOrigin.source_identifier)
const connection = { source_identifier: identifier(sourceMessages.connection_required) }

const forms = {
  sheet: z.object({ ...anyOrigin, ...sheet }),
  // A file has a first table.
  file: z.object({ ...anyOrigin, ...sheet, sheet_name: SheetNameOrBlank }),
  api: z.object({ ...anyOrigin, ...connection }),
  database: z.object({ ...anyOrigin, ...connection }),
  internal: z.object({ ...anyOrigin, source_identifier: identifier(sourceMessages.origin_required) }),
}
const formOf = ({ source_type, spreadsheet_id }: TaskValues) =>
  source_type === null
    ? z.object(anyOrigin)
    : forms[source_type === 'sheet' && isFilePath(spreadsheet_id) ? 'file' : source_type]

const sameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The changed fields. Only these are validated and sent, so that stored values which are invalid now can remain. */
function changesOf(start: TaskValues, values: TaskValues): object {
  const before = new Map<string, unknown>(Object.entries(start))
  const judged =
    start.source_type === values.source_type ? [] : ['spreadsheet_id', 'sheet_name', 'source_identifier']
  return Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => judged.includes(field) || !sameJson(value, before.get(field)),
    ),
  )
}

/** Validation errors by field. `start`: initial values of an edited task; null for a new task. */
export function formErrors(start: TaskValues | null, values: TaskValues): Record<string, string> {
  const form = formOf(values)
  return start === null ? fieldErrors(form)(values) : fieldErrors(z.partial(form))(changesOf(start, values))
}

type Create = RequestOf<typeof sourceTasks.create>['body']
type Update = RequestOf<typeof sourceTasks.update>['body']

/** Request body of a new task. */
export const newBody = (values: TaskValues): Create => formOf(values).parse(values)

/** Request body of an edit: the changed fields, and the version of the task it is based on. */
export const editBody = (task: SourceTask, values: TaskValues): Update => ({
  ...z.partial(formOf(values)).parse(changesOf(valuesOf(task), values)),
  updated_at: task.updated_at,
})

export const newValues: TaskValues = {
  name: '',
  source_task_type_id: null,
  source_type: null,
  chunk_size: 1,
  source_identifier: '',
  spreadsheet_id: '',
  sheet_name: '',
  start_row: limits.start_row_default,
  description: '',
  min_rows_percent: limits.min_rows_percent_default,
  max_rows: limits.source_rows_max,
  csv_delimiter: 'auto',
  csv_encoding: 'auto',
  csv_quote: 'auto',
  file_expected_hours: '',
  relevant_user_accounts: [],
  is_active: true,
  is_master_catalog: false,
  ...newOwnership(null),
}

export const valuesOf = (task: SourceTask): TaskValues => ({
  name: task.name,
  source_task_type_id: task.source_task_type_id === null ? null : String(task.source_task_type_id),
  source_type: task.source_type,
  chunk_size: task.chunk_size,
  source_identifier: task.source_identifier,
  spreadsheet_id: task.spreadsheet_id,
  sheet_name: task.sheet_name,
  start_row: task.start_row,
  description: task.description,
  min_rows_percent: task.min_rows_percent,
  max_rows: task.max_rows,
  csv_delimiter: task.csv_delimiter,
  csv_encoding: task.csv_encoding,
  csv_quote: task.csv_quote,
  file_expected_hours: task.file_expected_hours ?? '',
  relevant_user_accounts: task.relevant_user_accounts,
  is_active: task.is_active,
  is_master_catalog: task.is_master_catalog,
  ...ownershipValues(task),
})

/** Values of a copy of a task; the original stays the master catalog. */
export const copyValues = (task: SourceTask, taken: ReadonlySet<string>): TaskValues => ({
  ...valuesOf(task),
  name: copyName(task.name, taken),
  is_master_catalog: false,
})

/** Form values after a change of the source type: fields of the previous type are cleared. */
export const withOrigin = (values: TaskValues, source_type: OriginType): TaskValues =>
  source_type === values.source_type
    ? values
    : {
        ...values,
        source_type,
        source_identifier: '',
        spreadsheet_id: '',
        sheet_name: '',
        start_row: limits.start_row_default,
      }

type TypeOption = { id: number; chunk_size: number }

/** Form values after a change of the task type: its chunk size is applied unless the user has set one. */
export function withType(
  values: TaskValues,
  chosen: string | null,
  types: readonly TypeOption[],
): TaskValues {
  const chunkSizeOf = (id: string | null) => types.find((type) => String(type.id) === id)?.chunk_size ?? 1
  const own = values.chunk_size !== chunkSizeOf(values.source_task_type_id)
  return {
    ...values,
    source_task_type_id: chosen,
    chunk_size: own ? values.chunk_size : chunkSizeOf(chosen),
  }
}
