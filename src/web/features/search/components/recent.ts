import * as z from 'zod/mini'
import type { LinkItem } from './items.ts'

const KEY = 'rowferry.recent'
const MAX_RECENT = 5

const Kind = z.enum(['sync', 'source', 'compiler', 'type', 'screen'])
const Stored = z.object({
  user_id: z.number(),
  items: z.array(
    z.object({
      key: z.string(),
      kind: Kind,
      label: z.string(),
      detail: z.string(),
      // Paths of this site only.
      to: z.string().check(z.regex(/^\/(?!\/)/)),
    }),
  ),
})

/** The destinations that the user has chosen last, newest first; stored in the browser. Those of another user are not shown. */
export function readRecent(user_id: number | undefined): LinkItem[] {
  const stored = Stored.safeParse(decoded(localStorage.getItem(KEY)))
  return stored.success && stored.data.user_id === user_id ? stored.data.items : []
}

/** Stores a chosen destination. */
export function addRecent(user_id: number, item: LinkItem): void {
  const others = readRecent(user_id).filter(({ key }) => key !== item.key)
  const items = [item, ...others].slice(0, MAX_RECENT)
  localStorage.setItem(KEY, JSON.stringify({ user_id, items }))
}

function decoded(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
