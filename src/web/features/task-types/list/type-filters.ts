import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { byName } from '../../../lib/by-name.ts'

/** Filters of the list, stored in the URL. A blank filter matches all. */
export type TypeFilters = { search: string; status: string; group: string }

type Shown = Pick<TaskType, 'name' | 'description' | 'group_name' | 'is_active' | 'cron_schedule'>

/** Options of the status filter. */
export const statusChoices: { value: string; label: string; passes: (type: Shown) => boolean }[] = [
  { value: '', label: 'All', passes: () => true },
  { value: 'active', label: 'Active', passes: ({ is_active }) => is_active },
  { value: 'inactive', label: 'Inactive', passes: ({ is_active }) => !is_active },
  { value: 'scheduled', label: 'Scheduled', passes: ({ cron_schedule }) => cron_schedule !== null },
]

/** Reads filters from the URL; invalid values are ignored. */
export function readTypeFilters(params: URLSearchParams): TypeFilters {
  const status = params.get('status') ?? ''
  return {
    search: params.get('q') ?? '',
    status: statusChoices.some(({ value }) => value === status) ? status : '',
    group: params.get('group') ?? '',
  }
}

/** URL parameters of the filters; the inverse of readTypeFilters. */
export function writeTypeFilters({ search, status, group }: TypeFilters): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set('q', search)
  if (status) params.set('status', status)
  if (group) params.set('group', group)
  return params
}

/** Types that match all filters. The search covers name, description and group. */
export function filterTypes<Type extends Shown>(
  types: readonly Type[],
  { search, status, group }: TypeFilters,
): Type[] {
  const wanted = search.trim().toLowerCase()
  const chosen = statusChoices.find(({ value }) => value === status)
  return types.filter(
    (type) =>
      (chosen?.passes(type) ?? true) &&
      (!group || type.group_name === group) &&
      [type.name, type.description, type.group_name].some((text) => text.toLowerCase().includes(wanted)),
  )
}

/** Distinct groups in natural order (2 before 10). */
export const groupsOf = (types: readonly Pick<TaskType, 'group_name'>[]): string[] =>
  [...new Set(types.map(({ group_name }) => group_name))].filter((name) => name !== '').sort(byName)
