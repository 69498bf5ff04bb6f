import { compiler } from '../../contract/compiler/calls.ts'
import { compilerRuns } from '../../contract/compiler/runs.ts'
import { isFilePath } from '../../contract/files/providers.ts'
import { limits } from '../../contract/limits.ts'
import { type SourceStatus, type SyncStatus, syncStatus } from '../../contract/runs/status.ts'
import { sourceTasks } from '../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import type { TaskCategory } from '../../contract/tasks/schemas.ts'
import type { CallAs } from './call-as.ts'

/** States of a task in one vocabulary for all categories. */
export const STATES = ['never_run', 'queued', 'running', 'success', 'warning', 'failed', 'stopped'] as const
export type State = (typeof STATES)[number]

/** A task of any category; `id` is that of the configuration if it is a compiler task. */
export type ListedTask = {
  category: TaskCategory
  id: number
  name: string
  type: string | null
  state: State
  is_active: boolean
  last_success: string | null
  owner: string | null
  tags: string[]
  source: UsedSheet | null
  target: UsedSheet | null
}

/** A sheet or file that a task reads or writes. */
export type UsedSheet = {
  kind: 'google_sheet' | 'file'
  spreadsheet_id: string
  spreadsheet: string
  sheet: string
}

const kindOf = (spreadsheet_id: string): UsedSheet['kind'] =>
  isFilePath(spreadsheet_id) ? 'file' : 'google_sheet'

const ofSync: Record<SyncStatus, State> = {
  Pending: 'never_run',
  Queued: 'queued',
  Running: 'running',
  Stopping: 'running',
  Stopped: 'stopped',
  Success: 'success',
  Warning: 'warning',
  Failed: 'failed',
  Error: 'failed',
}

const ofSource: Record<SourceStatus, State> = {
  new: 'never_run',
  pending: 'queued',
  running: 'running',
  completed: 'success',
  failed: 'failed',
  stopped: 'stopped',
  email_sent: 'failed',
}

export type TaskFilters = {
  category?: TaskCategory | undefined
  search?: string | undefined
  state?: State | undefined
  active?: boolean | undefined
}

// Of the other categories there are few, which one call lists.
const statesOf: Record<State, string> = {
  never_run: 'never_run',
  queued: 'queued',
  running: 'running,stopping',
  success: 'success',
  warning: 'warning',
  failed: 'failed,error',
  stopped: 'stopped',
}

/** Tasks that meet all filters, in the order of the screens; pages are read as they are consumed. */
export async function* tasksOf(call: CallAs, filters: TaskFilters): AsyncGenerator<ListedTask> {
  const { category, search, state, active } = filters
  const text = search?.trim().toLowerCase()
  const meets = (task: ListedTask): boolean =>
    (state === undefined || task.state === state) &&
    (active === undefined || task.is_active === active) &&
    (text === undefined || task.name.toLowerCase().includes(text) || String(task.id) === text)
  if (category === undefined || category === 'source')
    for await (const task of sources(call)) if (meets(task)) yield task
  if (category === undefined || category === 'compiler')
    for await (const task of configurations(call)) if (meets(task)) yield task
  if (category === undefined || category === 'sync') yield* syncs(call, filters)
}

async function* sources(call: CallAs): AsyncGenerator<ListedTask> {
  for (const task of await call(sourceTasks.list, {})) {
    const state = ofSource[task.running_status]
    const is_warned =
      state === 'success' && task.run_warnings.some(({ acknowledged }) => acknowledged === null)
    yield {
      category: 'source',
      id: task.id,
      name: task.name,
      type: task.source_task_type_name,
      state: is_warned ? 'warning' : state,
      is_active: task.is_active,
      last_success: task.last_successful_run,
      owner: task.owner?.name ?? null,
      tags: task.tags,
      source:
        task.source_type === 'sheet'
          ? {
              ...{ kind: kindOf(task.spreadsheet_id), spreadsheet_id: task.spreadsheet_id },
              ...{ spreadsheet: task.spreadsheet_name, sheet: task.sheet_name },
            }
          : null,
      target: null,
    }
  }
}

async function* configurations(call: CallAs): AsyncGenerator<ListedTask> {
  const [configs, states] = await Promise.all([call(compiler.listConfigs, {}), call(compilerRuns.states, {})])
  const stateOf = new Map(states.map((state) => [state.id, state]))
  for (const { id, task_id, name, task_type_name, is_active, owner, tags } of configs) {
    const { state = null, last_successful_run = null } = stateOf.get(task_id) ?? {}
    yield {
      category: 'compiler',
      id,
      name,
      type: task_type_name,
      state: ofSync[syncStatus(state)],
      is_active,
      last_success: last_successful_run,
      owner: owner?.name ?? null,
      tags,
      source: null,
      target: null,
    }
  }
}

async function* syncs(call: CallAs, { search, state, active }: TaskFilters): AsyncGenerator<ListedTask> {
  const query = {
    limit: limits.tasks_page_size,
    search,
    ...(state !== undefined && { state: statesOf[state] }),
    ...(active !== undefined && { is_active: active ? ('true' as const) : ('false' as const) }),
  }
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const reply = await call(syncTasks.list, { query: { ...query, page } })
    pages = reply.totalPages
    for (const task of reply.syncTasks)
      yield {
        category: 'sync',
        id: task.id,
        name: task.name,
        type: task.task_type.name,
        state: ofSync[task.task_status],
        is_active: task.is_active,
        last_success: task.last_successful_run,
        owner: task.owner?.name ?? null,
        tags: task.tags,
        source:
          task.source_type === 'sheet'
            ? {
                ...{ kind: kindOf(task.source_ss_id), spreadsheet_id: task.source_ss_id },
                ...{ spreadsheet: task.source_ss_name, sheet: task.source_sheet_name },
              }
            : null,
        target: {
          ...{ kind: kindOf(task.target_ss_id), spreadsheet_id: task.target_ss_id },
          ...{ spreadsheet: task.target_ss_name, sheet: task.target_sheet_name },
        },
      }
  }
}
