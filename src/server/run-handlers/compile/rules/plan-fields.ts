import type { MergeSettings } from '../../../../contract/compiler/configs.ts'
import { precedence } from '../../../../contract/compiler/precedence.ts'
import type { ColumnRef, Field, Group } from './compile-plan.ts'
import { checkedFields } from './plan-checks.ts'

type Source = { task_id: number; fields: ReadonlyMap<string, number> }

type Given = {
  /** Fields that keep their position. */
  unchanged: readonly string[]
  /** Sources that people decided to prefer, by field. They come before the field's own order. */
  preferred: ReadonlyMap<string, number>
}

/** The fields and groups of a merge. `unknown`: warnings about settings that name no field. */
export function planFields(
  sources: readonly Source[],
  settings: MergeSettings,
  { unchanged, preferred }: Given,
): { fields: Field[]; groups: Group[]; unknown: string[] } {
  const { required_fields, field_groups, field_priorities } = settings
  const ids = sources.map(({ task_id }) => task_id)
  const priorities = new Map(field_priorities.map((one) => [one.field, one.source_task_ids]))
  /** The order of fields that are filled together. */
  const orderOf = (members: readonly string[]) => {
    const first = members.flatMap((name) => preferred.get(name) ?? []).slice(0, 1)
    const own = priorities.get(members.find((name) => priorities.has(name)) ?? '') ?? []
    return precedence(ids, [...first, ...own.filter((id) => !first.includes(id))])
  }
  const grouped = new Map(field_groups.flatMap((names, group) => names.map((name) => [name, group] as const)))
  const names = [...new Set([...unchanged, ...sources.flatMap(({ fields }) => [...fields.keys()])])]
  const unknown = [
    ...required_fields,
    ...field_groups.flat(),
    ...priorities.keys(),
    ...checkedFields(settings),
  ].filter((name) => !names.includes(name))
  const columnsOf = (wanted: readonly string[], source: number): ColumnRef[] =>
    wanted.flatMap((name) => {
      const column = sources[source]?.fields.get(name)
      return column === undefined ? [] : [{ source, column }]
    })
  const groups = field_groups.map((members) =>
    orderOf(members).map((source) => ({
      source,
      places: columnsOf(members, source),
    })),
  )
  const fields = names.map((name) => {
    const group = grouped.get(name) ?? null
    return {
      name,
      is_required: required_fields.length === 0 || required_fields.includes(name),
      from: orderOf([name]).flatMap((source) => columnsOf([name], source)),
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
