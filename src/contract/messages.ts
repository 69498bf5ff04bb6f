import { formatted } from './counted.ts'
import { limits } from './limits.ts'
import { type TasksByCategory, tasksByCategory } from './pipeline-messages.ts'
import { quoted } from './quoted.ts'
import { messages as screenMessages } from './screen-messages.ts'

/** Every text that a person sees because something happened: what pages say by themselves, and what only the server says, which no page has to load. */
export const messages = {
  ...screenMessages,

  host_unknown: (host: string) =>
    `Nothing is answered here under the name “${quoted(host)}”. Use the address of Rowferry that PUBLIC_URL says.`,

  // replies that are owed
  streams_taken: (open: number) =>
    `${open} live streams of yours are open, in all browsers and programs together, and there is no place for another one now. ` +
    'Close some of them, or try again in 15 seconds.',
  waits_taken: (open: number) =>
    `${open} calls of yours wait for a run, with all your sessions and tokens together, and there is no place for another one now. ` +
    'Try again in 15 seconds, or call without `wait`.',

  // adding and editing
  master_not_source: 'The master source must be one of the sources',
  config_name_taken: 'A compiler configuration with this name already exists.',
  config_in_use: (users: readonly string[], more: number) =>
    `This configuration is in use by ${users.join(', ')}${more ? ` and ${formatted(more)} more` : ''}.`,
  source_task_in_use: (users: readonly string[], more: number) =>
    `Rows of this are used by ${users.join(', ')}${more ? ` and ${formatted(more)} more` : ''}.`,
  used_by_type: (name: string) => `the task type ${quoted(name)}`,
  used_by_config: (name: string) => `the configuration ${quoted(name)}`,
  used_by_source_task: (name: string) => `the source task ${quoted(name)}`,
  used_by_task: (name: string) => `the sync task ${quoted(name)}`,
  target_taken:
    'This task conflicts with an existing task. Please check the values and try again. ' +
    'Two tasks that write to the same target sheet would overwrite each other’s rows.',
  account_not_shared: (email: string) =>
    `${quoted(email)} has not opted in to share a grant, so this task cannot use that account.`,
  service_account_not_allowed: (email: string) =>
    `An administrator has not allowed tasks to use the service account ${quoted(email)}.`,
  saved_but_closed: (which: string, reason: string) =>
    `Saved, but the ${which} spreadsheet cannot be opened: ${reason}`,

  // running
  run_started: (name: string) => `${name} is queued`,
  by_token: (token: string) => `token ${token}`,
  run_over: (name: string) => `${name} is done`,
  run_not_well: (name: string) => `${name} did not end well`,
  run_goes_on: (name: string) => `${name} is still under way`,
  run_live: (name: string) => `${name} is already under way`,
  run_inactive: (name: string) => `${name} is inactive`,
  run_stopping: (name: string) => `${name} is stopping`,
  run_stopped: (name: string) => `${name} is stopped`,
  run_nothing_to_stop: 'Nothing to stop',
  activated: (name: string) => `${name} is active`,
  deactivated: (name: string) => `${name} is inactive`,

  // all tasks, or those of a group
  all_started: (started: number, skipped: number) =>
    `${formatted(started)} ${started === 1 ? 'task is' : 'tasks are'} queued${skipped === 0 ? '' : `; ${formatted(skipped)} under way already or inactive`}`,
  pipeline_started: (started: TasksByCategory, skipped: number) =>
    `Queued: ${tasksByCategory(started)}${skipped === 0 ? '' : `; ${formatted(skipped)} under way already or inactive`}`,
  nothing_to_start: 'Nothing was started: every task is inactive or already under way',
  all_stopped: (count: number) =>
    `${formatted(count)} ${count === 1 ? 'task was' : 'tasks were'} told to stop`,
  moved: (name: string, position: number, total: number) =>
    `${name} is number ${formatted(position)} of ${formatted(total)} now`,
  already_first: (name: string) => `${name} is the first of its type already`,
  already_last: (name: string) => `${name} is the last of its type already`,

  // readiness of internal sources
  config_inactive: (name: string) => `The compiler configuration “${name}” is inactive`,
  config_compiled: (name: string, records: number) =>
    `${formatted(records)} compiled ${records === 1 ? 'record' : 'records'} of “${name}”`,
  config_not_compiled: (name: string) => `The compiler configuration “${name}” has no compiled records yet`,

  // runs, logs and copied data
  column_unknown: (name: string) => `There is no column “${quoted(name)}” in the copied data.`,

  // sync task types
  type_name_taken: 'A task type with this name already exists. Please use a different name.',
  cron_of_sync:
    'Sync tasks have scheduled times of their own. A cron schedule is for source and compiler types.',
  config_of_others: 'Only compiler task types have a compiler configuration',
  compiler_config_taken: (type: string) =>
    `The task type “${quoted(type)}” compiles this configuration already.`,
  category_fixed: 'The category of a task type never changes.',
  origin_cycle: (way: readonly string[]) =>
    `A task cannot fetch from itself: ${way.map((name) => quoted(name)).join(' ← ')}`,
  section_changed:
    'Tasks were added, moved or deleted meanwhile. Look at the list again and repeat the move.',
  named_twice: (id: number) => `Task ${id} is named twice`,
  order_changed: 'Task types were added or deleted meanwhile. Look at the list again and repeat the move.',

  // source task types

  // presets
  preset_name_taken: 'A preset with this name already exists. Please use a different name.',
  preset_decides: (n: number) =>
    `${n === 1 ? 'A task that runs with a colleague’s account uses' : `${formatted(n)} tasks that run with colleagues’ accounts use`} this preset and would copy more columns. Save your list as a new preset.`,
  preset_in_use: (n: number) => `This preset is used by ${formatted(n)} ${n === 1 ? 'task' : 'tasks'}.`,

  // schedules
  source_schedule_started: 'The source schedule is running',
  source_schedule_stopped:
    'The source schedule is stopped. What is due meanwhile is missed, and noted as such.',
  source_schedule_runs_already: 'The source schedule was running already',
  source_schedule_stopped_already: 'The source schedule was stopped already',
  next_runs_counted: (count: number) =>
    `${formatted(count)} source ${count === 1 ? 'task has' : 'tasks have'} a next run`,
  no_next_runs: 'No source task is scheduled',
  entry_sync_task: (id: number) => `Run sync task ${id}`,
  entry_source_type: 'Run all source tasks of this type',
  entry_compiler_type: 'Compile',
  entry_run_all_sync: 'Run all sync tasks',
  entry_run_all_source: 'Run all source tasks',

  // users
  disable_yourself: 'You cannot disable yourself.',

  // CSV
  import_goes_on: (job_id: number) => `The import goes on in the background. Job ID: ${job_id}`,
  export_goes_on: (job_id: number) =>
    `The export takes longer than usual. Its file can be downloaded when it is ready. Job ID: ${job_id}`,
  csv_interrupted: `The server stopped ${limits.csv_attempts} times during this job, which was given up. Nothing of it was kept.`,
  all_rows_refused: (count: number) =>
    count === 1
      ? 'The only row of the file was refused'
      : `All ${formatted(count)} rows of the file were refused`,
  import_empty: 'The file has a header but no rows.',
  csv_empty: 'The file is empty. Its first line must name the columns.',
  csv_utf16: 'The file is encoded as UTF-16. Save it as “CSV UTF-8” and try again.',
  csv_latin1: 'The file is not UTF-8 but looks like Latin-1. Save it as “CSV UTF-8” and try again.',
  csv_workbook:
    'The file is a spreadsheet workbook under the name of a CSV. Save it as “CSV UTF-8” and try again.',
  csv_nul: 'The file holds the character NUL, so it is no text.',
  csv_columns_missing: (names: string[]) =>
    `The first line lacks the ${names.length === 1 ? 'column' : 'columns'} ${names.join(', ')}.`,
  csv_column_unknown: (name: string) => `The first line names a column that does not exist: ${quoted(name)}`,
  csv_column_twice: (name: string) => `The first line names the column ${quoted(name)} twice.`,
  csv_columns_same: (one: string, other: string) =>
    `The first line names the same column twice: ${quoted(one)} and ${quoted(other)} mean the same.`,
  csv_columns_many: (max: number) => `The file has more than ${formatted(max)} columns.`,
  csv_rows_many: (max: number) => `The file has more than ${formatted(max)} rows.`,
  csv_quote_open: (row: number) => `Row ${formatted(row)} has a quote that is never closed.`,
  csv_quote_stray: (row: number) => `Row ${formatted(row)} has a quote in the wrong place.`,
  csv_row_long: (row: number) => `Row ${formatted(row)} is too long; perhaps a quote in it is never closed.`,
  csv_row_ragged: (cells: number, columns: number) =>
    `The row has ${formatted(cells)} ${cells === 1 ? 'cell' : 'cells'}, the header ${formatted(columns)}`,
  csv_key_twice: (row: number) => `Row ${formatted(row)} of this file has the same type and name`,
  csv_name_twice: (row: number) => `Row ${formatted(row)} of this file has the same name`,
  csv_dependency_unknown: (category: string, name: string) =>
    `There is no ${category} task type “${quoted(name)}” to depend on`,
  csv_dependency_word: (line: string) => `“${quoted(line)}” names no task type`,
  type_skipped: (name: string) => `“${quoted(name)}” exists already and was skipped`,
  type_unscheduled: (name: string, reason: string) =>
    `“${quoted(name)}” was imported without a schedule: ${reason}`,
  type_import_started: (job_id: number) =>
    `Import started successfully! Job ID: ${job_id}. Check job status below.`,
  csv_type_unknown: (name: string) => `There is no task type “${quoted(name)}”`,
} as const
