import type { Task } from '../task-model.ts'

/** Dialogs that a row asks its screen to open. */
export type RowRequests = {
  edit: (task: Task) => void
  duplicate: (task: Task) => void
  remove: (task: Task) => void
  snooze: (task: Task) => void
  showData: (task: Task) => void
}
