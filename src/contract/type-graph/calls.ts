import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'
import { Wait } from '../runs/waits.ts'
import { DependencyCondition, TaskCategory } from '../tasks/schemas.ts'

/** Tasks of a type by the state of their last run. */
export const StateCounts = z.object({
  queued: z.int(),
  running: z.int(),
  stopping: z.int(),
  success: z.int(),
  warning: z.int(),
  failed: z.int(),
  error: z.int(),
  stopped: z.int(),
  never_run: z.int(),
})
export type StateCounts = z.infer<typeof StateCounts>

/** A type without tasks. */
export const noTasks: StateCounts = {
  queued: 0,
  running: 0,
  stopping: 0,
  success: 0,
  warning: 0,
  failed: 0,
  error: 0,
  stopped: 0,
  never_run: 0,
}

/** What changes of a type while runs go: the graph carries it, and the event stream sends it. */
export const TypeState = z.object({
  id: Id,
  counts: StateCounts,
  /** Prerequisite types with live runs: what is queued now waits until these are over. */
  ahead: z.array(Id),
  /** Tasks of prerequisite types that break a condition, each with how it ended: "Prices (failed)". With nothing ahead, runs fail over them. */
  unmet: z.array(z.string()),
  /** What its queued runs wait for, and how many wait for it. */
  queue: z.array(z.object({ wait: Wait, runs: z.int() })),
})
export type TypeState = z.infer<typeof TypeState>

/** A task type as the dependency graph shows it. */
export const TypeNode = z.extend(TypeState, {
  name: z.string(),
  task_category: TaskCategory,
  is_active: z.boolean(),
})
export type TypeNode = z.infer<typeof TypeNode>

/** Runs of `to` wait for those of `from`. */
export const TypeEdge = z.object({ from: Id, to: Id, condition: DependencyCondition })
export type TypeEdge = z.infer<typeof TypeEdge>

/** All task types, and what waits for what: edges by the type that waits, its first dependency first. */
export const TypeGraph = z.object({
  nodes: z.array(TypeNode),
  edges: z.array(TypeEdge),
  /** Circles, each as the ids along its arrows. The server refuses to close one; these slipped in. */
  cycles: z.array(z.array(Id)),
})
export type TypeGraph = z.infer<typeof TypeGraph>

/** The dependency graph of task types. */
export const typeGraph = {
  read: {
    method: 'GET',
    path: '/api/unified_task_types/graph',
    summary:
      'What waits for what: the task types of all categories, their dependencies and the states of their tasks',
    reply: TypeGraph,
  },
} satisfies Calls
