import type { TaskType, unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import type { RequestOf } from '../../../lib/call.ts'
import { categories } from '../components/category.tsx'

/** Filters of the list of all categories. A blank filter matches all. */
export type UnifiedFilters = { search: string; category: string; status: string }

type Query = NonNullable<RequestOf<typeof unifiedTaskTypes.list>['query']>

const actives = { active: 'true', inactive: 'false' } as const

/** Options of the status filter. */
export const activeChoices = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

/** Options of the category filter. */
export const categoryChoices = (['sync', 'source', 'compiler'] as const).map((value) => ({
  value,
  label: categories[value].label,
}))

/** Parses the value of a select; undefined if it is no category. */
export const categoryOf = (text: string | null) => categoryChoices.find(({ value }) => value === text)?.value

/** Reads filters from the URL; invalid values are ignored. */
export const readUnifiedFilters = (params: URLSearchParams): UnifiedFilters => ({
  search: params.get('q') ?? '',
  category: categoryOf(params.get('category')) ?? '',
  status: activeChoices.find(({ value }) => value === params.get('status'))?.value ?? '',
})

/** URL parameters of the filters; the inverse of readUnifiedFilters. */
export function writeUnifiedFilters({ search, category, status }: UnifiedFilters): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set('q', search)
  if (category) params.set('category', category)
  if (status) params.set('status', status)
  return params
}

/** Query of the call; the search is applied in the browser. */
export function queryOf({ category, status }: UnifiedFilters): Query {
  const wanted = categoryOf(category)
  return {
    ...(wanted && { category: wanted }),
    ...((status === 'active' || status === 'inactive') && { is_active: actives[status] }),
  }
}

/** Types whose name or description contains the search text. */
export function searchTypes(types: readonly TaskType[], search: string): TaskType[] {
  const wanted = search.trim().toLowerCase()
  return types.filter(({ name, description }) =>
    [name, description].some((text) => text.toLowerCase().includes(wanted)),
  )
}
