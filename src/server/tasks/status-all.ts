import type { TaskState } from '../../contract/tasks.ts'
import { readHoldUp } from '../engine/hold-up.ts'
import type { Db } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { isRunAllUnfinished } from './run-all.ts'
import { taskStates } from './task-states.ts'

/** The status of every task of a category in its words, whether a Run All is unfinished, and what a quota holds up. */
export async function readStatusAll<S>(db: Db, category: TaskCategory, inWords: (state: TaskState) => S) {
  const states = await taskStates(db, { category })
  return {
    all_running_status: await isRunAllUnfinished(db, category),
    hold_up: await readHoldUp(db, category),
    tasks: [...states.values()].map(inWords),
  }
}
