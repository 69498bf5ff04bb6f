import * as z from 'zod/mini'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { Email, Name, SheetName, SpreadsheetOrFile, TimeOfDay } from '../../../../contract/fields.ts'
import { limits } from '../../../../contract/limits.ts'
import { Condition, type Filter } from '../../../../contract/rows/conditions.ts'
import {
  type ChosenColumn,
  type Completeness,
  type ExtraColumn,
  type RowSettings,
  rowSettings,
  type SortColumn,
  wholeTable,
} from '../../../../contract/rows/row-settings.ts'
import { replacedTable, WriteSettings, writeSettings } from '../../../../contract/rows/write-settings.ts'
import type { SyncTask, syncTasks } from '../../../../contract/sync-tasks/calls.ts'
import { type CheckedTask, settingConflicts } from '../../../../contract/sync-tasks/check-write-settings.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { derivedName, numberedName } from '../../../../contract/titles/task-title.ts'
import type { RequestOf } from '../../../lib/call.ts'
import { copyName } from '../../../tasks/edit/copy-name.ts'
import { newOwnership, ownershipFields, ownershipValues } from '../../../tasks/ownership/ownership-form.ts'

import { type LimitValues, limitFields, limitValues, withLimits } from './limits-form.ts'

/** Values of the form: ids are text, a cleared number is blank. */
export type TaskValues = {
  sync_task_type_id: string | null
  name: string
  source_type: SyncTask['source_type']
  source_compiler_config_id: string | null
  source_ss_id: string
  source_sheet_name: string
  target_ss_id: string
  target_sheet_name: string
  scheduled_times: string[]
  start_row: number | string
  chunk_size: number | string
  sync_preset_id: string | null
  columns: ChosenColumn[] | null
  include_new_columns: boolean
  filter: Filter | null
  sort_by: SortColumn[]
  /** Blank: all. */
  max_rows: number | string
  completeness: Completeness | null
  extra_columns: ExtraColumn[]
  relevant_user_accounts: string[]
  owner_id: string | null
  tags: string[]
} & WriteSettings &
  LimitValues

const wholeNumber = (max: number) => {
  const message = fieldMessages.whole_number(1, max)
  return z.int(message).check(z.minimum(1, message), z.maximum(max, message))
}

const given = (missing: string) => z.string().check(z.trim(), z.minLength(1, missing))

const shared = {
  sync_task_type_id: z.pipe(z.string(syncTaskMessages.type_required), z.transform(Number)),
  target_ss_id: z.pipe(given(syncTaskMessages.target_spreadsheet_required), SpreadsheetOrFile),
  target_sheet_name: z.pipe(
    z.string().check(z.minLength(1, syncTaskMessages.target_sheet_required)),
    SheetName,
  ),
  scheduled_times: z.pipe(
    z.array(TimeOfDay).check(z.maxLength(limits.scheduled_times_max, fieldMessages.times_too_many)),
    z.transform((times) => (times.length === 0 ? ['None'] : times)),
  ),
  start_row: wholeNumber(limits.start_row_max),
  chunk_size: wholeNumber(limits.chunk_size_max),
  sync_preset_id: z.pipe(
    z.nullable(z.string()),
    z.transform((id) => (id === null ? null : Number(id))),
  ),
  ...rowSettings,
  ...writeSettings,
  max_rows: z.pipe(
    z.union([
      z.pipe(
        z.literal(''),
        z.transform(() => null),
      ),
      wholeNumber(limits.start_row_max),
    ]),
    rowSettings.max_rows,
  ),
  relevant_user_accounts: z.array(Email).check(z.maxLength(limits.accounts_max)),
  ...ownershipFields,
  ...limitFields,
}

// Fields of the other source type are preserved in the form, and not sent.
const leftOut = {
  id: z.pipe(
    z.unknown(),
    z.transform(() => null),
  ),
  text: z.pipe(
    z.unknown(),
    z.transform(() => ''),
  ),
}

const sheet = {
  source_type: z.literal('sheet'),
  source_ss_id: z.pipe(given(fieldMessages.source_spreadsheet_required), SpreadsheetOrFile),
  source_sheet_name: z
    .string()
    .check(z.maxLength(limits.sheet_name_characters, fieldMessages.sheet_name_too_long)),
  source_compiler_config_id: leftOut.id,
}

const internal = {
  source_type: z.literal('internal'),
  source_ss_id: leftOut.text,
  source_sheet_name: leftOut.text,
  source_compiler_config_id: z.pipe(z.string(fieldMessages.config_required), z.transform(Number)),
}

const refuseConflicts = z.superRefine<CheckedTask>((task, context) => {
  for (const conflict of settingConflicts(task)) context.addIssue({ code: 'custom', ...conflict })
})

const formOf = <Written extends z.ZodMiniType<string>>(name: Written) =>
  z.discriminatedUnion('source_type', [
    z.object({ ...shared, name, ...sheet }).check(
      z.refine(
        (task) =>
          task.source_ss_id !== task.target_ss_id || task.source_sheet_name !== task.target_sheet_name,
        { message: syncTaskMessages.source_is_target, path: ['target_sheet_name'] },
      ),
      refuseConflicts,
    ),
    z.object({ ...shared, name, ...internal }).check(refuseConflicts),
  ])

const AddedTaskForm = formOf(Name)

/** Schema of the form of a new task, with the request body as output; the sort order places it last in its type. */
export const NewTaskForm = z.pipe(
  AddedTaskForm,
  z.transform((task) => ({ ...withLimits(task), sort_order: 0 })),
)

/** Schema of the form of an existing task: a blank name is derived from its sheets. */
export const EditTaskForm = z.pipe(
  formOf(z.union([z.string().check(z.trim(), z.length(0)), Name])),
  z.transform(withLimits),
)

export const newValues = (chunk_size: number): TaskValues => ({
  sync_task_type_id: null,
  name: '',
  source_type: 'sheet',
  source_compiler_config_id: null,
  source_ss_id: '',
  source_sheet_name: '',
  target_ss_id: '',
  target_sheet_name: '',
  scheduled_times: [...limits.scheduled_times_default],
  start_row: limits.start_row_default,
  chunk_size,
  sync_preset_id: null,
  ...wholeTable,
  sort_by: [],
  max_rows: '',
  extra_columns: [],
  ...replacedTable,
  key_columns: [],
  more_sources: [],
  relevant_user_accounts: [],
  ...newOwnership(null),
  ...limitValues({}),
})

const idText = (id: number | null) => (id === null ? null : String(id))

export const valuesOf = (task: SyncTask): TaskValues => ({
  sync_task_type_id: idText(task.sync_task_type_id),
  name: task.name,
  source_type: task.source_type,
  source_compiler_config_id: idText(task.source_compiler_config_id),
  source_ss_id: task.source_ss_id,
  source_sheet_name: task.source_sheet_name,
  target_ss_id: task.target_ss_id,
  target_sheet_name: task.target_sheet_name,
  scheduled_times: task.scheduled_times,
  start_row: task.start_row,
  chunk_size: task.chunk_size,
  sync_preset_id: idText(task.sync_preset_id),
  columns: task.columns,
  include_new_columns: task.include_new_columns,
  filter: task.filter,
  sort_by: task.sort_by,
  max_rows: task.max_rows ?? '',
  extra_columns: task.extra_columns,
  completeness: task.completeness,
  ...writeValues(task),
  relevant_user_accounts: task.relevant_user_accounts,
  ...ownershipValues(task),
  ...limitValues(task.limits),
})

/** A person who saves a task of an earlier release accepts what new tasks do with cells beside the table. */
const writeValues = ({ on_cells_beside, ...task }: SyncTask): WriteSettings =>
  WriteSettings.parse({ ...task, on_cells_beside: on_cells_beside ?? replacedTable.on_cells_beside })

/** Values of a copy of a task: the target is blank, because a tab belongs to one task. */
export const copyValues = (task: SyncTask, taken: ReadonlySet<string>): TaskValues => ({
  ...valuesOf(task),
  name: copyName(task.name, taken),
  target_ss_id: '',
  target_sheet_name: '',
})

type Sheets = Pick<SyncTask, 'source_sheet_name' | 'target_sheet_name'>

/**
 * Name under which an edited task is saved: as entered, or derived from the sheets if it is blank or an unedited derived name, with
 * a suffix such as " (2)" if `taken` contains it.
 */
export function editedName(
  task: SyncTask,
  edited: Sheets & { name: string },
  taken: ReadonlySet<string>,
): string {
  const was_derived = task.name === derivedName(task.id, task)
  const left_alone = edited.name === task.name
  if (edited.name !== '' && !(was_derived && left_alone)) return edited.name
  const name = derivedName(task.id, edited)
  if (name === task.name) return name
  let free = name
  for (let number = 2; taken.has(free); number++) free = numberedName(name, number)
  return free
}

type Update = RequestOf<typeof syncTasks.update>['body']

/** Request body of an edit: the form, and the version of the task it is based on. */
export const editBody = (
  task: SyncTask,
  edited: z.output<typeof EditTaskForm>,
  taken: ReadonlySet<string>,
): Update => ({ ...edited, name: editedName(task, edited, taken), updated_at: task.updated_at })

const Sampled = z.object({
  start_row: shared.start_row,
  sync_preset_id: shared.sync_preset_id,
  ...rowSettings,
  max_rows: shared.max_rows,
  key_columns: writeSettings.key_columns,
  split_by: writeSettings.split_by,
  source_csv_delimiter: writeSettings.source_csv_delimiter,
  source_csv_encoding: writeSettings.source_csv_encoding,
  source_csv_quote: writeSettings.source_csv_quote,
})

/** What a task with these values would copy, as a question to the server. Null without a source, or while a value is incomplete. */
export function sampleBody(values: TaskValues): RequestOf<typeof syncTasks.sampleRows>['body'] | null {
  const source = z.discriminatedUnion('source_type', [z.object(sheet), z.object(internal)]).safeParse(values)
  const settings = Sampled.safeParse({ ...values, ...complete(values) })
  return source.success && settings.success ? { ...source.data, ...settings.data } : null
}

/** Settings without the lines that are not filled in yet. */
function complete({ columns, filter, sort_by, extra_columns }: TaskValues): Partial<RowSettings> {
  const conditions = filter?.conditions.filter((condition) => Condition.safeParse(condition).success) ?? []
  return {
    columns: columns && columns.length > 0 ? columns : null,
    filter: filter && conditions.length > 0 ? { ...filter, conditions } : null,
    sort_by: sort_by.filter(({ column }) => column !== ''),
    extra_columns: extra_columns.filter(({ name }) => name.trim() !== ''),
    completeness: null,
  }
}
