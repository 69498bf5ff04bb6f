import type { TaskType, unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import type { RequestOf } from '../../../lib/call.ts'
import { categories } from '../components/category.tsx'

/** What a person looks for among the types of all categories. Blank means everything. */
export type UnifiedFilters = { search: string; category: string; status: string }

type Query = NonNullable<RequestOf<typeof unifiedTaskTypes.list>['query']>

const actives = { active: 'true', inactive: 'false' } as const

/** The choices of the filter on status. */
export const activeChoices = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

/** The categories to choose from. */
export const categoryChoices = (['sync', 'source', 'compiler'] as const).map((value) => ({
  value,
  label: categories[value].label,
}))

/** The category that a control names; undefined when it names none. */
export const categoryOf = (text: string | null) => categoryChoices.find(({ value }) => value === text)?.value

/** Filters that an address holds; what it says wrongly is ignored. */
export const readUnifiedFilters = (params: URLSearchParams): UnifiedFilters => ({
  search: params.get('q') ?? '',
  category: categoryOf(params.get('category')) ?? '',
  status: activeChoices.find(({ value }) => value === params.get('status'))?.value ?? '',
})

/** The address part of these filters; readUnifiedFilters returns them again. */
export function writeUnifiedFilters({ search, category, status }: UnifiedFilters): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set('q', search)
  if (category) params.set('category', category)
  if (status) params.set('status', status)
  return params
}

/** What the server is asked for; the search is done here. */
export function queryOf({ category, status }: UnifiedFilters): Query {
  const wanted = categoryOf(category)
  return {
    ...(wanted && { category: wanted }),
    ...((status === 'active' || status === 'inactive') && { is_active: actives[status] }),
  }
}

/** Types whose name or description has the words. */
export function searchTypes(types: readonly TaskType[], search: string): TaskType[] {
  const wanted = search.trim().toLowerCase()
  return types.filter(({ name, description }) =>
    [name, description].some((text) => text.toLowerCase().includes(wanted)),
  )
}
