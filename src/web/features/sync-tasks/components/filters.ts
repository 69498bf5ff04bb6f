import { SyncStatus } from '../../../../contract/status.ts'
import { SyncTask } from '../../../../contract/sync-tasks.ts'
import { displayName } from './wording.ts'

/** What the list shows; kept in the address. Nothing chosen means everything. */
export type Filters = {
  search: string
  statuses: readonly SyncStatus[]
  type: string | null
  active: boolean | null
  source: SyncTask['source_type'] | null
}

const flags = new Map([
  ['1', true],
  ['0', false],
])

/** The kind of source that a word names; null if it names none. */
export const sourceIn = (word: string | null): Filters['source'] =>
  SyncTask.shape.source_type.safeParse(word).data ?? null

/** Filters that an address holds; what it says wrongly is ignored. */
export function readFilters(params: URLSearchParams): Filters {
  const statuses = params.getAll('status').flatMap((word) => {
    const status = SyncStatus.safeParse(word)
    return status.success ? [status.data] : []
  })
  return {
    search: params.get('q') ?? '',
    statuses: [...new Set(statuses)],
    type: params.get('type'),
    active: flags.get(params.get('active') ?? '') ?? null,
    source: sourceIn(params.get('source')),
  }
}

/** The address part of these filters; readFilters gives them back. */
export function writeFilters({ search, statuses, type, active, source }: Filters): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set('q', search)
  for (const status of statuses) params.append('status', status)
  if (type) params.set('type', type)
  if (active !== null) params.set('active', active ? '1' : '0')
  if (source) params.set('source', source)
  return params
}

/** Whether anything is chosen. */
export const isFiltered = (filters: Filters) => writeFilters(filters).size > 0

/** Tasks that all filters but the one on status let through: what the tiles count. */
export function filterButStatus(
  tasks: readonly SyncTask[],
  { search, type, active, source }: Filters,
): SyncTask[] {
  const wanted = search.trim().toLowerCase()
  return tasks.filter(
    (task) =>
      (active === null || task.is_active === active) &&
      (!source || task.source_type === source) &&
      (!type || String(task.sync_task_type_id) === type) &&
      (!wanted || matches(task, wanted)),
  )
}

/** Tasks of the chosen statuses; all when none is chosen. */
export const filterStatus = (tasks: readonly SyncTask[], statuses: readonly SyncStatus[]) =>
  statuses.length === 0 ? tasks : tasks.filter((task) => statuses.includes(task.task_status))

const matches = (task: SyncTask, wanted: string) =>
  String(task.id) === wanted ||
  [
    task.name,
    displayName(task),
    task.source_ss_name,
    task.source_sheet_name,
    task.source_compiler_config_name ?? '',
    task.target_ss_name,
    task.target_sheet_name,
  ].some((text) => text.toLowerCase().includes(wanted))
