import { createHash } from 'node:crypto'
import { resolveName } from '../../../snapshots/column-names.ts'
import type { Field, PlannedDecisions } from './compile-plan.ts'

/**
 * A rule for a field about which sources disagree: the value with a text is used if the values are those of `texts`, or a source is
 * preferred.
 */
export type StoredDecision = {
  id: number
  field: string
  /** Null: any values. */
  texts: string | null
  text: string | null
  source_task_id: number | null
}

/** The decisions about existing fields; undefined: there are none. */
export function planDecisions(
  fields: readonly Field[],
  task_ids: readonly number[],
  decisions: readonly StoredDecision[],
): PlannedDecisions | undefined {
  const places = new Map(fields.map(({ name }, n) => [name, n]))
  const names = new Set(places.keys())
  const by_texts = new Map<string, { id: number; text: string }>()
  const by_source: PlannedDecisions['by_source'] = {}
  const hash = createHash('sha256')
  for (const { id, field: name, texts, text, source_task_id } of decisions) {
    const field = places.get(resolveName(names, name))
    if (field === undefined) continue
    const source = task_ids.indexOf(source_task_id ?? 0)
    if (texts !== null && text !== null) by_texts.set(disagreementKey(field, texts), { id, text })
    else if (source >= 0) by_source[field] = { id, source }
    else continue
    hash.update(JSON.stringify([id, field, texts, text, source_task_id]))
  }
  // The fields of a group come from one source.
  const inGroups = new Map(
    fields.flatMap(({ group }, n) => (group !== null && by_source[n] ? [[group, by_source[n]]] : [])),
  )
  for (const [n, { group }] of fields.entries()) {
    const rule = group === null ? undefined : inGroups.get(group)
    if (rule) by_source[n] ??= rule
  }
  return by_texts.size === 0 && Object.keys(by_source).length === 0
    ? undefined
    : { hash: hash.digest('hex'), by_texts, by_source }
}

/** Identifies the values that disagree about a field, by their texts in order as JSON. */
export const disagreementKey = (field: number, texts: string): string => `${field} ${texts}`
