import type { Task, TaskModel } from '../task-model.ts'

/** What the list shows; kept in the address. Nothing chosen means everything. */
export type Filters = {
  search: string
  statuses: readonly string[]
  type: string | null
  active: boolean | null
  /** Of the category, by their names in the address. */
  chips: readonly string[]
  /** Of the category's own filters, by their names in the address. */
  choices: Readonly<Record<string, string>>
}

const flags = new Map([
  ['1', true],
  ['0', false],
])

/** Filters that an address holds; what it says wrongly is ignored. */
export function readFilters<T extends Task>(model: TaskModel<T>, params: URLSearchParams): Filters {
  const known = new Set(model.statuses.map(({ word }) => word))
  const choices = model.filters.flatMap(({ param, options }) => {
    const value = params.get(param)
    return value !== null && options.some((option) => option.value === value) ? [[param, value]] : []
  })
  return {
    search: params.get('q') ?? '',
    statuses: [...new Set(params.getAll('status').filter((word) => known.has(word)))],
    type: params.get('type'),
    active: flags.get(params.get('active') ?? '') ?? null,
    chips: model.chips.map(({ param }) => param).filter((param) => params.getAll('chip').includes(param)),
    choices: Object.fromEntries(choices),
  }
}

/** The address part of these filters; readFilters returns them again. */
export function writeFilters({ search, statuses, type, active, chips, choices }: Filters): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set('q', search)
  for (const status of statuses) params.append('status', status)
  if (type) params.set('type', type)
  if (active !== null) params.set('active', active ? '1' : '0')
  for (const chip of chips) params.append('chip', chip)
  for (const [param, value] of Object.entries(choices)) if (value) params.set(param, value)
  return params
}

/** Whether anything is chosen. */
export const isFiltered = (filters: Filters) => writeFilters(filters).size > 0

/** Tasks that all filters but the one on status let through: what the tiles count. `now` in milliseconds, by the server's clock. */
export function filterButStatus<T extends Task>(
  model: TaskModel<T>,
  tasks: readonly T[],
  { search, type, active, chips, choices }: Filters,
  now: number,
): T[] {
  const wanted = search.trim().toLowerCase()
  const pressed = model.chips.filter(({ param }) => chips.includes(param))
  return tasks.filter(
    (task) =>
      (active === null || task.is_active === active) &&
      (!type || String(model.groupOf(task).id) === type) &&
      model.filters.every(({ param, passes }) => !choices[param] || passes(task, choices[param])) &&
      pressed.every(({ passes }) => passes(task, now)) &&
      (!wanted || matches(model, task, wanted)),
  )
}

/** Tasks of the chosen statuses; all when none is chosen. */
export const filterStatus = <T extends Task>(
  model: TaskModel<T>,
  tasks: readonly T[],
  statuses: readonly string[],
) => (statuses.length === 0 ? tasks : tasks.filter((task) => statuses.includes(model.statusOf(task))))

const matches = <T extends Task>(model: TaskModel<T>, task: T, wanted: string) =>
  String(task.id) === wanted || model.searched(task).some((text) => text.toLowerCase().includes(wanted))
