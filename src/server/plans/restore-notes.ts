import { planServerMessages } from '../../contract/plans/server-messages.ts'
import type { Restores } from './versions.ts'

const { restores: texts } = planServerMessages

/** Most addresses in a sentence. */
const MAX_NAMED = 5

/** What a plan that restores a version keeps, and what it cannot bring back. */
export function restoreNotes({ kept, deleted_cells, formulas }: Restores): string[] {
  const named = kept.addresses.slice(0, MAX_NAMED).join(', ')
  const others = kept.cells > MAX_NAMED ? ' and others' : ''
  const notes: string[] = []
  if (kept.cells > 0) notes.push(texts.kept(kept.cells, `${named}${others}`))
  if (deleted_cells > 0) notes.push(texts.deleted(deleted_cells))
  if (formulas === null) notes.push(texts.formulas_unknown)
  else if (formulas > 0) notes.push(texts.formulas(formulas))
  return [...notes, texts.left_out]
}
