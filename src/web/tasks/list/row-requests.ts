import type { SyncTask } from '../../../contract/sync-tasks.ts'

/** What a row of the list asks of its screen. */
export type RowRequests = { edit: (task: SyncTask) => void; remove: (task: SyncTask) => void }
