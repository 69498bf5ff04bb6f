import type { MergeSettings } from '../../../../contract/compiler-configs.ts'
import type { Field, Group, Place } from './compile-plan.ts'

type Source = { task_id: number; fields: ReadonlyMap<string, number> }

/** The fields and groups of a merge; `unknown`: sentences about settings that name fields which no source has. */
export function planFields(
  sources: readonly Source[],
  { required_fields, field_groups, field_priorities }: MergeSettings,
  kept: readonly string[],
): { fields: Field[]; groups: Group[]; unknown: string[] } {
  const priorities = new Map(field_priorities.map((one) => [one.field, one.source_task_ids]))
  const grouped = new Map(field_groups.flatMap((names, group) => names.map((name) => [name, group] as const)))
  const names = [...new Set([...kept, ...sources.flatMap(({ fields }) => [...fields.keys()])])]
  const unknown = [...required_fields, ...field_groups.flat(), ...priorities.keys()].filter(
    (name) => !names.includes(name),
  )
  const placesIn = (wanted: readonly string[], source: number): Place[] =>
    wanted.flatMap((name) => {
      const column = sources[source]?.fields.get(name)
      return column === undefined ? [] : [{ source, column }]
    })
  const groups = field_groups.map((members) =>
    ordered(sources, priorities.get(members.find((name) => priorities.has(name)) ?? '')).map((source) => ({
      source,
      places: placesIn(members, source),
    })),
  )
  const fields = names.map((name) => {
    const group = grouped.get(name) ?? null
    return {
      name,
      is_required: required_fields.length === 0 || required_fields.includes(name),
      from: ordered(sources, priorities.get(name)).flatMap((source) => placesIn([name], source)),
      group,
    }
  })
  return {
    fields,
    groups: groups.map((group) => group.filter(({ places }) => places.length > 0)),
    unknown: [...new Set(unknown)].map(
      (name) => `The settings name the field ‘${name}’, which no source has.`,
    ),
  }
}

/** The places of sources in the order in which they win: those that are named first, the others as they stand. */
function ordered(sources: readonly Source[], first: readonly number[] = []): number[] {
  const named = first
    .map((id) => sources.findIndex(({ task_id }) => task_id === id))
    .filter((place) => place >= 0)
  const others = sources.flatMap((_, place) => (named.includes(place) ? [] : [place]))
  return [...named, ...others]
}
