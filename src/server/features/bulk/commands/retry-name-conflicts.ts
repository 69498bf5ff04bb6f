import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { violates } from '../../../platform/postgres/errors.ts'

const MAX_ATTEMPTS = 5
const CONSTRAINTS = ['tasks_type_name_key', 'tasks_task_type_fkey']

/**
 * A transaction that moves tasks between types. It is repeated if another transaction added a task of the same name or deleted the
 * type in the meantime; the next attempt sees that and refuses the task.
 */
export async function retriedOnConflict<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await durableTransaction(db, work)
    } catch (error) {
      const isConflict = CONSTRAINTS.some((constraint) => violates(error, constraint))
      if (!isConflict || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
