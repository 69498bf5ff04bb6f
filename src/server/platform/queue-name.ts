import type { TaskCategory } from '../../contract/tasks.ts'

/**
 * The queue of pg-boss that a category's runs go through. Each has its own, so that a worker takes only what it can carry out: one
 * of another version may have a handler that this one lacks.
 */
export const queueOf = (category: TaskCategory): string => `${category}-runs`
