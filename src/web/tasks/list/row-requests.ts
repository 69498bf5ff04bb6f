import type { Task } from '../task-model.ts'

/** What a row of the list asks of its screen. */
export type RowRequests = {
  edit: (task: Task) => void
  remove: (task: Task) => void
  showData: (task: Task) => void
}
