import type { z } from 'zod'
import type { BookDraft } from '../model/book.ts'
import { type Batch, batchUpdate } from '../requests/batch-update.ts'
import type { Context } from './context.ts'
import { type Fill, fill } from './fill.ts'
import {
  appendValues,
  type BatchedUpdates,
  batchUpdateValues,
  clearValues,
  type Update,
  updateValues,
} from './values.ts'

/** Reply of each kind of change. */
export interface Replies {
  fill: undefined
  'values.update': Update
  'values.batchUpdate': BatchedUpdates
  'values.append': Update & { tableRange?: string }
  'values.clear': string[]
  batchUpdate: Batch
}

export type ChangeKind = keyof Replies
export type FillBlock = z.input<typeof Fill>

const changes: {
  readonly [K in ChangeKind]: (draft: BookDraft, args: unknown, context: Context) => Replies[K]
} = {
  fill,
  'values.update': updateValues,
  'values.batchUpdate': batchUpdateValues,
  'values.append': appendValues,
  'values.clear': clearValues,
  batchUpdate,
}

export function isChangeKind(kind: string): kind is ChangeKind {
  return Object.hasOwn(changes, kind)
}

/** Parses `args` and applies the change to the draft. Throws GoogleError; the caller then discards the draft. */
export function perform<K extends ChangeKind>(
  kind: K,
  draft: BookDraft,
  args: unknown,
  context: Context,
): Replies[K] {
  return changes[kind](draft, args, context)
}
