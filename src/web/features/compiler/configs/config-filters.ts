import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import {
  type OwnerFilter,
  passesOwner,
  passesTags,
  readOwner,
} from '../../../tasks/ownership/ownership-filters.ts'

/** Filters of the list of configurations, in the URL. */
export type ConfigFilters = {
  search: string
  owner: OwnerFilter
  tags: readonly string[]
  favourites: boolean
}

/** Reads the filters from the URL; invalid values are ignored. */
export const readConfigFilters = (params: URLSearchParams): ConfigFilters => ({
  search: params.get('q') ?? '',
  owner: readOwner(params.get('owner')),
  tags: [...new Set(params.getAll('tag').filter((tag) => tag !== ''))],
  favourites: params.get('favourites') === '1',
})

/** The parameters with these filters instead of the current ones. */
export function withConfigFilters(before: URLSearchParams, filters: ConfigFilters): URLSearchParams {
  const params = new URLSearchParams(before)
  for (const name of ['q', 'owner', 'tag', 'favourites']) params.delete(name)
  if (filters.search) params.set('q', filters.search)
  if (filters.owner !== null) params.set('owner', filters.owner)
  for (const tag of filters.tags) params.append('tag', tag)
  if (filters.favourites) params.set('favourites', '1')
  return params
}

/** Configurations that match all filters except favourites. `own_id`: the signed-in user. */
export function filterConfigs(
  configs: readonly CompilerConfig[],
  { search, owner, tags }: ConfigFilters,
  own_id: number | null,
): CompilerConfig[] {
  const wanted = search.trim().toLowerCase()
  return configs.filter(
    (config) =>
      passesOwner(config, owner, own_id) &&
      passesTags(config, tags) &&
      [config.name, config.description, ...config.source_names, ...config.tags]
        .join('\n')
        .toLowerCase()
        .includes(wanted),
  )
}
