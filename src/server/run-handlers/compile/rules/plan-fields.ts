import type { MergeSettings } from '../../../../contract/compiler/configs.ts'
import type { ColumnRef, Field, Group } from './compile-plan.ts'

type Source = { task_id: number; fields: ReadonlyMap<string, number> }

/** The fields and groups of a merge. `unchanged`: fields that keep their position; `unknown`: warnings about settings that name no field. */
export function planFields(
  sources: readonly Source[],
  { required_fields, field_groups, field_priorities }: MergeSettings,
  unchanged: readonly string[],
): { fields: Field[]; groups: Group[]; unknown: string[] } {
  const priorities = new Map(field_priorities.map((one) => [one.field, one.source_task_ids]))
  const grouped = new Map(field_groups.flatMap((names, group) => names.map((name) => [name, group] as const)))
  const names = [...new Set([...unchanged, ...sources.flatMap(({ fields }) => [...fields.keys()])])]
  const unknown = [...required_fields, ...field_groups.flat(), ...priorities.keys()].filter(
    (name) => !names.includes(name),
  )
  const columnsOf = (wanted: readonly string[], source: number): ColumnRef[] =>
    wanted.flatMap((name) => {
      const column = sources[source]?.fields.get(name)
      return column === undefined ? [] : [{ source, column }]
    })
  const groups = field_groups.map((members) =>
    ordered(sources, priorities.get(members.find((name) => priorities.has(name)) ?? '')).map((source) => ({
      source,
      places: columnsOf(members, source),
    })),
  )
  const fields = names.map((name) => {
    const group = grouped.get(name) ?? null
    return {
      name,
      is_required: required_fields.length === 0 || required_fields.includes(name),
      from: ordered(sources, priorities.get(name)).flatMap((source) => columnsOf([name], source)),
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

/** Indices of the sources in the order in which they win: those with priority, then the others in their own order. */
function ordered(sources: readonly Source[], priority: readonly number[] = []): number[] {
  const named = priority
    .map((id) => sources.findIndex(({ task_id }) => task_id === id))
    .filter((index) => index >= 0)
  const others = sources.flatMap((_, index) => (named.includes(index) ? [] : [index]))
  return [...named, ...others]
}
