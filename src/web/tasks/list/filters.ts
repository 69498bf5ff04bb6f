import { type OwnerFilter, passesOwner, passesTags, readOwner } from '../ownership/ownership-filters.ts'
import type { Task, TaskModel } from '../task-model.ts'

/** Filters of the list; stored in the URL. An empty value means no restriction. */
export type Filters = {
  search: string
  statuses: readonly string[]
  type: string | null
  active: boolean | null
  /** Only favourites of the user. */
  favourites: boolean
  owner: OwnerFilter
  tags: readonly string[]
  /** The category's own toggles, by URL parameter. */
  chips: readonly string[]
  /** The category's own selections, by URL parameter. */
  choices: Readonly<Record<string, string>>
}

const flags = new Map([
  ['1', true],
  ['0', false],
])

/** Reads the filters from the URL; invalid values are ignored. */
export function readFilters<T extends Task>(model: TaskModel<T>, params: URLSearchParams): Filters {
  const known = new Set(model.statuses.map(({ name }) => name))
  const choices = model.filters.flatMap(({ param, options }) => {
    const value = params.get(param)
    return value !== null && options.some((option) => option.value === value) ? [[param, value]] : []
  })
  return {
    search: params.get('q') ?? '',
    statuses: [...new Set(params.getAll('status').filter((name) => known.has(name)))],
    type: params.get('type'),
    active: flags.get(params.get('active') ?? '') ?? null,
    favourites: params.get('favourites') === '1',
    owner: readOwner(params.get('owner')),
    tags: [...new Set(params.getAll('tag').filter((tag) => tag !== ''))],
    chips: model.chips.map(({ param }) => param).filter((param) => params.getAll('chip').includes(param)),
    choices: Object.fromEntries(choices),
  }
}

/** The URL parameters of the filters; the inverse of readFilters. */
export function writeFilters(filters: Filters): URLSearchParams {
  const { search, statuses, type, active, favourites, owner, tags, chips, choices } = filters
  const params = new URLSearchParams()
  if (search) params.set('q', search)
  for (const status of statuses) params.append('status', status)
  if (type) params.set('type', type)
  if (active !== null) params.set('active', active ? '1' : '0')
  if (favourites) params.set('favourites', '1')
  if (owner !== null) params.set('owner', owner)
  for (const tag of tags) params.append('tag', tag)
  for (const chip of chips) params.append('chip', chip)
  for (const [param, value] of Object.entries(choices)) if (value) params.set(param, value)
  return params
}

/** Whether any filter is set. */
export const isFiltered = (filters: Filters) => writeFilters(filters).size > 0

/**
 * Tasks that match all filters except status and favourites; the tiles count these. `now` in milliseconds, by the server's clock;
 * `own_id`: the signed-in user.
 */
export function filterExceptStatus<T extends Task>(
  model: TaskModel<T>,
  tasks: readonly T[],
  { search, type, active, owner, tags, chips, choices }: Filters,
  now: number,
  own_id: number | null = null,
): T[] {
  const wanted = search.trim().toLowerCase()
  const pressed = model.chips.filter(({ param }) => chips.includes(param))
  return tasks.filter(
    (task) =>
      (active === null || task.is_active === active) &&
      passesOwner(task, owner, own_id) &&
      passesTags(task, tags) &&
      (!type || String(model.groupOf(task).id) === type) &&
      model.filters.every(({ param, passes }) => !choices[param] || passes(task, choices[param])) &&
      pressed.every(({ passes }) => passes(task, now)) &&
      (!wanted || matches(model, task, wanted)),
  )
}

/** Tasks with one of the chosen statuses; all if none is chosen. */
export const filterStatus = <T extends Task>(
  model: TaskModel<T>,
  tasks: readonly T[],
  statuses: readonly string[],
) => (statuses.length === 0 ? tasks : tasks.filter((task) => statuses.includes(model.statusOf(task))))

const matches = <T extends Task>(model: TaskModel<T>, task: T, wanted: string) =>
  String(task.id) === wanted ||
  [...model.searched(task), ...task.tags, task.owner?.name ?? ''].some((text) =>
    text.toLowerCase().includes(wanted),
  )
