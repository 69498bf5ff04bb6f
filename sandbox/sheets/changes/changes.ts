import type { z } from 'zod'
import type { BookDraft } from '../model/book.ts'
import type { Context } from './context.ts'
import { type Fill, fill } from './fill.ts'

/** What each kind of change answers. */
export interface Replies {
  fill: undefined
}

export type ChangeKind = keyof Replies
export type FillBlock = z.input<typeof Fill>

const changes: {
  readonly [K in ChangeKind]: (draft: BookDraft, args: unknown, context: Context) => Replies[K]
} = {
  fill: (draft, args) => {
    fill(draft, args)
    return undefined
  },
}

export function isChangeKind(kind: string): kind is ChangeKind {
  return Object.hasOwn(changes, kind)
}

/** Parses `args` and makes that change in the draft. Throws GoogleError; the draft is then to be dropped. */
export function perform<K extends ChangeKind>(
  kind: K,
  draft: BookDraft,
  args: unknown,
  context: Context,
): Replies[K] {
  return changes[kind](draft, args, context)
}
