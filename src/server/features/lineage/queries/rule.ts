import { z } from 'zod'
import { FrozenSettings } from '../../../../contract/compiler/configs.ts'
import { precedence } from '../../../../contract/compiler/precedence.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import { resolveName } from '../../../snapshots/column-names.ts'
import type { CompiledVersion } from './compiled-version.ts'

const CompileDefinition = z.object({
  sources: z.array(z.object({ task_id: z.int(), name: z.string(), is_master: z.boolean() })),
  settings: FrozenSettings,
})

/** How the source of a field was chosen: a sentence, and the sources in their order of precedence, as indices of `sources`. */
export type Rule = { text: string; order: number[] }

/** The rule for a column of compiled records, by the settings with which they were compiled. Column 0 is the SKU. */
export function ruleOf(
  { names, sources, definition }: Pick<CompiledVersion, 'names' | 'sources' | 'definition'>,
  column: number,
): Rule {
  const all = sources.map((_, index) => index)
  const compiled = CompileDefinition.safeParse(definition)
  if (!compiled.success) return { text: messages.rule_unknown, order: all }
  const { settings } = compiled.data
  const own = compiled.data.sources.toSorted((a, b) => Number(b.is_master) - Number(a.is_master))
  const ids = own.map(({ task_id }) => task_id)
  const resolve = (name: string) => resolveName(new Set(names), name)
  const priorities = new Map(
    settings.field_priorities.map(({ field, source_task_ids }) => [resolve(field), source_task_ids]),
  )
  const field = names[column] ?? ''
  const group = settings.field_groups
    .map((members) => members.map(resolve))
    .find((one) => one.includes(field))
  const deciding = group ? group.find((name) => priorities.has(name)) : field
  const priority = column === 0 ? undefined : priorities.get(deciding ?? '')
  const ordered = precedence(ids, priority).map((position) => ids[position])
  const known = ordered.map((id) => sources.findIndex(({ task_id }) => task_id === id)).filter((n) => n >= 0)
  const order = [...known, ...all.filter((index) => !known.includes(index))]
  const named = known.map((index) => sources[index]?.name ?? '')
  if (column > 0 && group) return { text: messages.rule_group(group, named), order }
  return { text: priority ? messages.rule_priority(named) : messages.rule_order(named), order }
}
