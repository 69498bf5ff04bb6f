import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id } from '../fields.ts'
import { Wait } from '../runs/waits.ts'
import { DependencyCondition, TaskCategory } from '../tasks/schemas.ts'

/** Task counts of a type by the state of their last run. */
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

/** State of a type that changes during runs; part of the graph and of the event stream. */
export const TypeState = z.object({
  id: Id,
  counts: StateCounts,
  /** Prerequisite types with live runs, which newly queued runs wait for. */
  ahead: z.array(Id),
  /** Prerequisite tasks that violate a condition, with their result: "Prices (failed)". With an empty `ahead`, runs fail. */
  unmet: z.array(z.string()),
  /** Wait reasons of its queued runs, with counts. */
  queue: z.array(z.object({ wait: Wait, runs: z.int() })),
})
export type TypeState = z.infer<typeof TypeState>

/** A task type in the dependency graph. */
export const TypeNode = z.extend(TypeState, {
  name: z.string(),
  task_category: TaskCategory,
  is_active: z.boolean(),
})
export type TypeNode = z.infer<typeof TypeNode>

/** Runs of `to` depend on those of `from`. */
export const TypeEdge = z.object({ from: Id, to: Id, condition: DependencyCondition })
export type TypeEdge = z.infer<typeof TypeEdge>

/** All task types and their dependencies. Edges are grouped by dependent type, first dependency first. */
export const TypeGraph = z.object({
  nodes: z.array(TypeNode),
  edges: z.array(TypeEdge),
  /** Cycles, each as ids along its edges. The server rejects dependencies that close one; old data can contain some. */
  cycles: z.array(z.array(Id)),
})
export type TypeGraph = z.infer<typeof TypeGraph>

/** API calls for the dependency graph. */
export const typeGraph = {
  read: {
    method: 'GET',
    path: '/api/unified_task_types/graph',
    summary:
      'Dependency graph: the task types of all categories, their dependencies and the states of their tasks',
    reply: TypeGraph,
  },
} satisfies Calls
