import type { TaskCategory } from '../../contract/tasks/schemas.ts'

/**
 * The pg-boss queue of a category. A worker fetches only from queues of categories for which it has a handler, which
 * may differ between versions.
 */
export const queueOf = (category: TaskCategory): string => `${category}-runs`
