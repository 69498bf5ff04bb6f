import type { Run } from '../../contract/runs/calls.ts'
import type { TaskRunState } from '../../contract/runs/status.ts'
import type { QuotaBacklog } from '../../contract/runs/waits.ts'
import type { DataColumns, DataPage, DataPageQuery } from '../../contract/tables.ts'
import type {
  ActionReply,
  LogEntry,
  PositionActions,
  Reposition,
  TaskState,
} from '../../contract/tasks/schemas.ts'
import type { Tone } from '../ui/badge.tsx'

/** What a task carries whatever its category; the field with the word for its state is the category's own. */
export type Task = Omit<TaskState, 'state' | 'running_status'> & {
  name: string
  is_active: boolean
  position_actions: PositionActions
}

/** One task with the newest lines of its log. */
export type Detailed<T extends Task> = T & { logs: LogEntry[] }

/** What has changed of a task. */
export type Patch<T extends Task> = { id: number } & Partial<T>

/** A status of a category's tasks: its word on the wire and on the screen, its colour, and what follows from it. */
export type StatusWord = {
  word: string
  label: string
  tone: Tone
  /** Running or queued: such a task cannot be run again, edited or deleted. */
  is_live?: true
  /** Stop is offered. Where the task is not live, it cancels the retries that are left. */
  can_stop?: true
  is_failure?: true
  /** It lasts seconds: there is a tile for it only while a task has it. */
  is_brief?: true
}

/** A choice beside the search that only some categories have; `param` is its name in the address. */
export type ChoiceFilter<T extends Task> = {
  param: string
  label: string
  /** What the choice says while nothing is chosen. */
  all: string
  options: readonly { value: string; label: string }[]
  passes(task: T, value: string): boolean
}

/** A choice that is on or off, in a press; `param` is its name in the address. */
export type Chip<T extends Task> = {
  param: string
  label: string
  /** `now` in milliseconds since 1970, by the server's clock. */
  passes(task: T, now: number): boolean
}

/** What holds for all tasks together: whether a Run All is unfinished, and what a quota holds up. */
export type Overview = { all_running: boolean; hold_up: QuotaBacklog | null }

/** Which page of stored rows. */
export type DataQuery = Pick<DataPageQuery, 'offset' | 'limit' | 'order' | 'columns' | 'sort' | 'version'>

/** The calls on the tasks of a category. Each throws CallError as `call` does. */
export type TaskCalls<T extends Task, D extends Detailed<T> = Detailed<T>> = {
  /** Pages are counted from 1. */
  list(page: number, signal: AbortSignal): Promise<{ tasks: T[]; total: number; pages: number }>
  statuses(signal: AbortSignal): Promise<{ tasks: Patch<T>[] } & Overview>
  get(id: number, signal: AbortSignal): Promise<D>
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
  /** Saves all tasks as a CSV file. */
  exportCsv(): Promise<unknown>
  logs(id: number, signal: AbortSignal): Promise<LogEntry[]>
  clearLogs(id: number): Promise<unknown>
  /** Newest first; null: the first page. */
  runs(id: number, cursor: number | null, signal: AbortSignal): Promise<{ runs: Run[]; next: number | null }>
  dataColumns(id: number, signal: AbortSignal): Promise<DataColumns>
  dataPage(id: number, query: DataQuery, signal: AbortSignal): Promise<DataPage>
}

/** What the screens say of a category's tasks; failures end in a full stop where the specification has one. */
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
  /** What goes with a task, and with all of them. */
  confirm_delete: (name: string) => string
  confirm_delete_all: (count: number) => string
  /** What stays when tasks are deleted. */
  delete_keeps: string
  delete_failed: string
  all_deleted: string
  exported: string
  export_failed: string
}

/** All that the shared screens must know of a category's tasks, but for the components that it adds to them. */
export type TaskModel<T extends Task = Task, D extends Detailed<T> = Detailed<T>> = {
  /** Path of the list's call: what was read is kept under it. */
  api: string
  /** Which events of the stream are its tasks'. */
  stream: 'tasks' | 'source_tasks'
  /** Without the stream, tasks under way are asked for again after so many milliseconds. */
  poll_ms: number
  /** Path of the list's page; those of a task are below it. */
  path: string
  /** Of the page where a file of tasks is imported. */
  import_path: string
  texts: TaskTexts
  /** What makes the page ask for runs of chosen tasks, as their history says it. */
  trigger?: string
  /** In the order of summaries and tiles. */
  statuses: readonly StatusWord[]
  calls: TaskCalls<T, D>
  filters: readonly ChoiceFilter<T>[]
  chips: readonly Chip<T>[]
  /** What a task shows from the moment in which it is asked to stop. */
  stopping: Partial<T>
  statusOf(task: T): string
  /** Whether it is at work, whatever its status says. */
  isRunning(task: T): boolean
  statusOfRun(state: TaskRunState): string
  /** What an event of the stream changes. */
  patchOf(state: TaskState): Patch<T>
  /** An edited task that the stream carries; null if it is of another category. */
  parse(task: unknown): T | null
  /** Title of a task, and its own name where that is another; blank otherwise. */
  titleOf(task: T): { title: string; own: string }
  /** Texts that the search looks at, beside the number. */
  searched(task: T): readonly string[]
  /** Its type; null: it has none. */
  groupOf(task: T): { id: number | null; name: string }
  canRun(task: T): boolean
  hasData(task: T): boolean
  /** What a run's receipt says, at length and in short; null where it left none. */
  receiptOf(run: Run): { sentence: string; proof: string } | null
}

/** What must be known of a category to show runs of its tasks. */
export type RunModel = Pick<TaskModel, 'api' | 'statuses' | 'statusOfRun' | 'receiptOf'> & {
  calls: Pick<TaskCalls<Task>, 'runs'>
}
