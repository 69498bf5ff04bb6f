import * as z from 'zod/mini'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { Email, Name, SheetName, SpreadsheetId, TimeOfDay } from '../../../../contract/fields.ts'
import { limits } from '../../../../contract/limits.ts'
import type { SyncTask, syncTasks } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import type { RequestOf } from '../../../lib/call.ts'

/** What the form holds while a person types; ids of lists are text, a cleared number is blank. */
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
  relevant_user_accounts: string[]
}

const wholeNumber = (max: number) => {
  const message = fieldMessages.whole_number(1, max)
  return z.int(message).check(z.minimum(1, message), z.maximum(max, message))
}

const spreadsheet = (missing: string) =>
  z.pipe(z.string().check(z.trim(), z.minLength(1, missing)), SpreadsheetId)

const shared = {
  sync_task_type_id: z.pipe(z.string(syncTaskMessages.type_required), z.transform(Number)),
  target_ss_id: spreadsheet(syncTaskMessages.target_spreadsheet_required),
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
  relevant_user_accounts: z.array(Email).check(z.maxLength(limits.accounts_max)),
}

// what belongs to the other source type is kept while one types, and not sent
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
  source_ss_id: spreadsheet(fieldMessages.source_spreadsheet_required),
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

const formOf = <Written extends z.ZodMiniType<string>>(name: Written) =>
  z.discriminatedUnion('source_type', [
    z
      .object({ ...shared, name, ...sheet })
      .check(
        z.refine(
          (task) =>
            task.source_ss_id !== task.target_ss_id || task.source_sheet_name !== task.target_sheet_name,
          { message: syncTaskMessages.source_is_target, path: ['target_sheet_name'] },
        ),
      ),
    z.object({ ...shared, name, ...internal }),
  ])

const AddedTaskForm = formOf(Name)

/** The form of a new task, parsed into what is sent; its sort order puts it last in its type. */
export const NewTaskForm = z.pipe(
  AddedTaskForm,
  z.transform((task) => ({ ...task, sort_order: 0 })),
)

/** The form of a task that exists: its name may be left blank, and follows from its sheets then. */
export const EditTaskForm = formOf(z.union([z.string().check(z.trim(), z.length(0)), Name]))

/** An empty form. */
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
  relevant_user_accounts: [],
})

const idText = (id: number | null) => (id === null ? null : String(id))

/** A task as the form holds it. */
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
  relevant_user_accounts: task.relevant_user_accounts,
})

type Sheets = Pick<SyncTask, 'source_sheet_name' | 'target_sheet_name'>

const derivedName = (id: number, { source_sheet_name, target_sheet_name }: Sheets) =>
  (source_sheet_name || target_sheet_name || syncTaskMessages.sync_task(id)).slice(0, limits.name_characters)

/**
 * The name with which an edited task is saved: what the person wrote; where that is blank, or the name was derived before and was
 * left alone, it follows from the sheets, with " (2)" and so on where `taken` has it already.
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
  for (let number = 2; taken.has(free); number++) {
    const suffix = ` (${number})`
    free = name.slice(0, limits.name_characters - suffix.length) + suffix
  }
  return free
}

type Update = RequestOf<typeof syncTasks.update>['body']

/** What an edit sends: the form, and the version of the task it started from. */
export const editBody = (
  task: SyncTask,
  edited: z.output<typeof EditTaskForm>,
  taken: ReadonlySet<string>,
): Update => ({ ...edited, name: editedName(task, edited, taken), updated_at: task.updated_at })
