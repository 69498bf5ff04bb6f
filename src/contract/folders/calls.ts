import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'
import { limits } from '../limits.ts'

/** A folder of FILES_FOLDERS, and who may use its files. */
export const Folder = z.object({
  name: z.string(),
  is_writable: z.boolean(),
  /** The only users that may choose its files and whose tasks may read them; null: all users. */
  people: z.nullable(z.array(z.object({ id: Id, email: z.string() }))),
})
export type Folder = z.infer<typeof Folder>

/** API calls on folders of files, for administrators. */
export const folders = {
  list: {
    method: 'GET',
    path: '/api/folders',
    summary: 'The folders of `FILES_FOLDERS`, and who may use them',
    access: 'admin',
    reply: z.array(Folder),
  },
  limit: {
    method: 'PUT',
    path: '/api/folders/:name',
    summary:
      'Limit a folder to these users: only they can choose its files, and only tasks that run in their name read or write them. `user_ids` null: all users',
    access: 'admin',
    params: z.strictObject({ name: z.string().check(z.minLength(1), z.maxLength(60)) }),
    body: z.strictObject({
      user_ids: z.nullable(z.array(Id).check(z.minLength(1), z.maxLength(limits.accounts_max))),
    }),
    reply: Folder,
  },
} satisfies Calls
