import * as z from 'zod/mini'
import { ownershipEdits } from '../../../contract/tasks/ownership.ts'
import type { Task } from '../task-model.ts'

/** Schemas of owner and tags in the form of a task; the id of the owner is text there. */
export const ownershipFields = {
  owner_id: z.pipe(
    z.nullable(z.string()),
    z.transform((id) => (id === null ? null : Number(id))),
  ),
  tags: ownershipEdits.tags,
}

const idText = (id: number | null) => (id === null ? null : String(id))

/** Values of a new task that belongs to a user, or to nobody. */
export const newOwnership = (user_id: number | null) => ({ owner_id: idText(user_id), tags: [] as string[] })

/** Values of a task. */
export const ownershipValues = ({ owner, tags }: Pick<Task, 'owner' | 'tags'>) => ({
  owner_id: idText(owner?.id ?? null),
  tags,
})
