import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams } from '../fields.ts'

/** API calls for the favourites of the signed-in user: tasks of any category, by task id. */
export const favourites = {
  list: {
    method: 'GET',
    path: '/api/favourites',
    summary: 'Ids of the favourite tasks of the signed-in user; of a compiler configuration, its `task_id`',
    reply: z.object({ task_ids: z.array(Id) }),
  },
  set: {
    method: 'PUT',
    path: '/api/favourites/:id',
    summary: 'Make a task a favourite of the signed-in user, or remove it from the favourites',
    params: IdParams,
    body: z.strictObject({ is_favourite: z.boolean() }),
    reply: z.object({ task_id: Id, is_favourite: z.boolean() }),
  },
} satisfies Calls
