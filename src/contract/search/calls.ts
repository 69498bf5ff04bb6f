import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id } from '../fields.ts'
import { limits } from '../limits.ts'
import { TaskCategory } from '../tasks/schemas.ts'
import { TaskSheets } from '../titles/task-title.ts'

/** A task that matches a search. */
export const FoundTask = z.object({
  /** Of a compiler configuration: the id of its task; calls and pages take `config_id`. */
  id: Id,
  category: TaskCategory,
  config_id: z.nullable(Id),
  name: z.string(),
  sheets: z.optional(TaskSheets),
  type: z.nullable(z.string()),
  /** Target of a sync task, source of a source task; can be blank. */
  place: z.string(),
})
export type FoundTask = z.infer<typeof FoundTask>

/** A task type that matches a search, with the number of its tasks. */
export const FoundType = z.object({ id: Id, category: TaskCategory, name: z.string(), tasks: z.int() })
export type FoundType = z.infer<typeof FoundType>

/** The best matches of a search, and the total numbers. */
export const Found = z.object({
  tasks: z.array(FoundTask),
  types: z.array(FoundType),
  /** Matching tasks by category. */
  task_counts: z.record(TaskCategory, z.int()),
})
export type Found = z.infer<typeof Found>

/** API calls for the search over tasks and task types of all categories. */
export const search = {
  find: {
    method: 'GET',
    path: '/api/search',
    summary:
      'Tasks and task types of all categories by name, id, spreadsheet or sheet; every word must match. At most `limit` of each, best matches first',
    query: z.strictObject({
      search: z
        .string()
        .check(z.trim(), z.minLength(1, 'Search is required'), z.maxLength(limits.search_characters)),
      limit: z._default(digits('limit', 1, limits.search_results_max), limits.search_results),
    }),
    reply: Found,
  },
} satisfies Calls
