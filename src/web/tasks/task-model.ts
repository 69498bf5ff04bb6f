import type * as z from 'zod/mini'
import type { Run } from '../../contract/runs/calls.ts'
import type { TaskRunState } from '../../contract/runs/status.ts'
import type { QuotaBacklog } from '../../contract/runs/waits.ts'
import type { RevertBody } from '../../contract/setting-changes/calls.ts'
import type { DataColumns, DataPage, DataPageQuery } from '../../contract/tables.ts'
import type { Owner } from '../../contract/tasks/ownership.ts'
import type {
  ActionReply,
  PositionActions,
  Reposition,
  TaskLogLine,
  TaskState,
} from '../../contract/tasks/schemas.ts'
import { type TaskTitle, titleText } from '../../contract/titles/task-title.ts'
import type { Tone } from '../ui/badge.tsx'
import type { ReadySubject } from './ready-by/ready-by-calls.ts'

/** Fields of a task in every category; the name of the status field differs between categories. */
export type Task = Omit<TaskState, 'state' | 'running_status'> & {
  name: string
  is_active: boolean
  /** Version of the task. */
  updated_at: string
  position_actions: PositionActions
  owner: Owner
  tags: string[]
  has_notes: boolean
}

/** One task with its notes, in Markdown, and its newest log entries. */
export type Detailed<T extends Task> = T & { notes: string; logs: TaskLogLine[] }

/** Changed fields of a task. */
export type Patch<T extends Task> = { id: number } & Partial<T>

/** A status of a category: its name on the wire, label, colour, and consequences. */
export type StatusDefinition = {
  name: string
  label: string
  tone: Tone
  /** Running or queued: the task cannot be run again, edited or deleted. */
  is_live?: true
  /** Stop is enabled. For a task that is not live, it cancels the remaining retries. */
  can_stop?: true
  is_failure?: true
  /** Lasts only seconds: it has a tile only while a task is in it. */
  is_brief?: true
}

/** An additional select filter of a category; `param` is its URL parameter. */
export type ChoiceFilter<T extends Task> = {
  param: string
  label: string
  /** Label while nothing is chosen. */
  all: string
  options: readonly { value: string; label: string }[]
  passes(task: T, value: string): boolean
}

/** An additional on/off filter of a category; `param` is its URL parameter. */
export type Chip<T extends Task> = {
  param: string
  label: string
  /** `now` in milliseconds since 1970, by the server's clock. */
  passes(task: T, now: number): boolean
}

/** State of all tasks together: whether a Run All is unfinished, and the quota backlog. */
export type Overview = { all_running: boolean; quota_backlog: QuotaBacklog | null }

/** Query parameters of a page of stored rows. */
export type DataQuery = Pick<
  DataPageQuery,
  'offset' | 'limit' | 'order' | 'columns' | 'sort' | 'search' | 'version'
>

/** Query parameters of log lines; `level` names one or several, separated by commas. */
export type LogLinesQuery = {
  limit: number
  before?: number
  level?: string
  search?: string
  run_id?: number
}

/** The calls on a category's tasks. Each throws CallError, like `call`. */
export type TaskCalls<T extends Task, D extends Detailed<T> = Detailed<T>> = {
  /** Pages are counted from 1. */
  list(page: number, signal: AbortSignal): Promise<{ tasks: T[]; total: number; pages: number }>
  statuses(signal: AbortSignal): Promise<{ tasks: Patch<T>[] } & Overview>
  get(id: number, signal: AbortSignal): Promise<D>
  revert(id: number, body: z.input<typeof RevertBody>): Promise<unknown>
  delete(id: number): Promise<unknown>
  execute(id: number): Promise<ActionReply>
  stop(id: number): Promise<ActionReply>
  toggleActive(id: number, is_active: boolean): Promise<{ message: string } & Partial<T>>
  reposition(id: number, action: Reposition): Promise<ActionReply>
  acknowledge(id: number, warning_ids: string[]): Promise<ActionReply>
  takeBack(id: number, warning_ids: string[]): Promise<ActionReply>
  executeAll(): Promise<ActionReply>
  stopAll(): Promise<ActionReply>
  /** Null: the tasks without a type. */
  runGroup(type_id: number | null): Promise<ActionReply>
  stopGroup(type_id: number | null): Promise<ActionReply>
  resetRunningStatus(): Promise<{ reset_count: number }>
  toggleAllActive(target_state: boolean): Promise<{ is_active: boolean }>
  deleteAll(): Promise<unknown>
  /** Downloads all tasks as a CSV file. */
  exportCsv(): Promise<unknown>
  /** The same for some of the tasks. */
  exportSome(ids: number[]): Promise<unknown>
  /** Task types of the category. */
  types(signal: AbortSignal): Promise<readonly { id: number; name: string }[]>
  logs(id: number, query: LogLinesQuery, signal: AbortSignal): Promise<TaskLogLine[]>
  clearLogs(id: number): Promise<unknown>
  /** Newest first; a null cursor gives the first page. */
  runs(id: number, cursor: number | null, signal: AbortSignal): Promise<{ runs: Run[]; next: number | null }>
  dataColumns(id: number, signal: AbortSignal): Promise<DataColumns>
  dataPage(id: number, query: DataQuery, signal: AbortSignal): Promise<DataPage>
  /** Downloads all stored rows as a CSV file. */
  exportData(id: number): Promise<unknown>
}

/** Texts about a category's tasks; failure messages end in a full stop where the specification has one. */
export type TaskTexts = {
  one: string
  many: string
  add: string
  data: string
  numbered: (id: number) => string
  not_found: string
  fetch_list_failed: string
  fetch_failed: string
  execute_failed: string
  deleted: string
  /** What is deleted with one task, and with all tasks. */
  confirm_delete: (name: string) => string
  confirm_delete_all: (count: number) => string
  /** What remains when tasks are deleted. */
  delete_keeps: string
  delete_failed: string
  all_deleted: string
  exported: string
  export_failed: string
}

/** Everything that the shared screens need to know about a category's tasks, except its components. */
export type TaskModel<T extends Task = Task, D extends Detailed<T> = Detailed<T>> = {
  /** Path of the list call; also the prefix of all query keys. */
  api: string
  /** Stream event that carries these tasks. */
  stream: 'tasks' | 'source_tasks'
  /** Polling interval in milliseconds while the stream is lost and tasks are running or queued. */
  poll_ms: number
  /** Path of the list page; task pages are below it. */
  path: string
  /** Path of the page that imports tasks. */
  import_path: string
  texts: TaskTexts
  /** Trigger that is stored with runs of chosen tasks. */
  trigger?: string
  /** In the order of summaries and tiles. */
  statuses: readonly StatusDefinition[]
  calls: TaskCalls<T, D>
  /** Tasks can be without a type. */
  may_lack_type: boolean
  /** Runs can be previewed. */
  has_previews?: true
  /** Tasks have scheduled times of their own; otherwise their types have a schedule. */
  has_schedule: boolean
  /** Whether runs of the task use a Google account. */
  usesAccount(task: T): boolean
  filters: readonly ChoiceFilter<T>[]
  chips: readonly Chip<T>[]
  /** Fields of a task while it is stopping, for the optimistic update. */
  stopping: Partial<T>
  statusOf(task: T): string
  /** Whether a worker is executing it, whatever its status says. */
  isRunning(task: T): boolean
  statusOfRun(state: TaskRunState): string
  /** Fields that an event of the stream changes. */
  patchOf(state: TaskState): Patch<T>
  /** Parses an edited task of the stream; null if it is of another category. */
  parse(task: unknown): T | null
  /** How a task is named. */
  titleOf(task: T): TaskTitle
  /** Texts that the search matches, in addition to the id. */
  searched(task: T): readonly string[]
  /** Type of the task; a null id means no type. */
  groupOf(task: T): { id: number | null; name: string }
  /** What a time by which it has to be ready can be set for: the task, its type, its target. */
  readySubjects(task: T): readonly ReadySubject[]
  canRun(task: T): boolean
  /** Id of the spreadsheet that the task writes. */
  targetSpreadsheet?(task: T): string
  hasData(task: T): boolean
  /** Receipt of a run, in full and in short; null without a receipt. */
  receiptOf(run: Run): { summary: string; proof: string } | null
}

/** Everything needed to show runs of a category. */
export type RunModel = Pick<TaskModel, 'api' | 'statuses' | 'statusOfRun' | 'receiptOf'> & {
  calls: Pick<TaskCalls<Task>, 'runs' | 'logs'>
}

/** How a task is named in a text. */
export const nameInText = <T extends Task>(model: Pick<TaskModel<T>, 'titleOf'>, task: T): string =>
  titleText(model.titleOf(task))
