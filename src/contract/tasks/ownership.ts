import * as z from 'zod/mini'
import { fieldMessages } from '../field-messages.ts'
import { Id, singleBlanks } from '../fields.ts'
import { limits } from '../limits.ts'

/** A label of tasks: one line of 1 to 40 characters without commas, which separate tags in files and addresses. */
export const Tag = z.pipe(
  z.pipe(z.string().check(z.normalize('NFC')), z.transform(singleBlanks)),
  z
    .string()
    .check(
      z.minLength(1, fieldMessages.tag_required),
      z.maxLength(limits.tag_characters, fieldMessages.tag_long),
      z.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp},]*$/u, fieldMessages.tag_characters),
    ),
)

/** Form in which tags are compared. */
export const tagKey = (tag: string): string => tag.toLowerCase()

/** The tags without repetitions; of those that differ only in case, the first. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag)
  return [...byKey.values()]
}

/** Fields of a task of any category that say whose it is; runs do not depend on them. */
export const ownershipEdits = {
  /** The responsible user; null: not assigned. */
  owner_id: z.nullable(Id),
  /** Markdown. */
  notes: z
    .string()
    .check(
      z.normalize('NFC'),
      z.trim(),
      z.maxLength(limits.notes_characters, fieldMessages.notes_long),
      z.regex(/^(?:\P{Cc}|[\r\n\t])*$/u, fieldMessages.text_control),
    ),
  tags: z.pipe(
    z.pipe(
      z.array(Tag),
      z.transform((tags: string[]) => distinctTags(tags)),
    ),
    z.array(z.string()).check(z.maxLength(limits.tags_max, fieldMessages.tags_many)),
  ),
}

/** Defaults of these fields for a new task. */
export const ownershipCreate = {
  owner_id: z._default(ownershipEdits.owner_id, null),
  notes: z._default(ownershipEdits.notes, ''),
  tags: z._default(ownershipEdits.tags, []),
}

/** The responsible user of a task; null: not assigned. A user without a name has their address as name. */
export const Owner = z.nullable(z.object({ id: Id, name: z.string() }))
export type Owner = z.infer<typeof Owner>

/** These fields of a task in lists; a whole task has its `notes`, too. */
export const listedOwnership = { owner: Owner, tags: z.array(z.string()), has_notes: z.boolean() }
