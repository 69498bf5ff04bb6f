import { sourceTasks } from '../../../contract/source-tasks.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { deleteTask } from '../../tasks/delete-task.ts'
import type { FindSpreadsheet } from '../../tasks/find-spreadsheets.ts'
import { clearLogs, readLogs } from '../../tasks/logs.ts'
import { type RunRequest, stopTask } from '../../tasks/run-commands.ts'
import { taskName } from '../../tasks/task-name.ts'
import { constraints } from './commands/constraints.ts'
import { createSourceTask } from './commands/create.ts'
import { updateSourceTask } from './commands/update.ts'
import { listSourceTasks, readSourceTask, readSourceTaskDetail } from './queries/tasks.ts'

type Deps = { db: Db; zone: string; findSpreadsheet: FindSpreadsheet }

const by = (actor: Actor): RunRequest => ({ category: 'source', actor })

const { list, get, create, update, delete: remove, stop, logs, clearLogs: clear } = sourceTasks
const calls = { list, get, create, update, delete: remove, stop, logs, clearLogs: clear }

/** Source tasks: their calls and what answers them. */
export const sourceTasksFeature: Feature<typeof calls, Deps> = {
  calls,
  handlers: {
    list: ({ query }, { db, zone }) => listSourceTasks(db, query, zone),
    get: ({ params }, { db, zone }) => readSourceTaskDetail(db, params.id, zone),
    create: async ({ body, user }, deps) => {
      const { id, warnings } = await createSourceTask(deps, user, body)
      return { ...(await readSourceTask(deps.db, id, deps.zone)), warnings }
    },
    update: async ({ params, body, user }, deps) => {
      const warnings = await updateSourceTask(deps, user, params.id, body)
      return { ...(await readSourceTask(deps.db, params.id, deps.zone)), warnings }
    },
    delete: ({ params, user }, { db }) => deleteTask(db, user, 'source', params.id),
    stop: ({ params, user }, { db }) => stopTask(db, by(user), params.id),
    logs: async ({ params, query }, { db, zone }) => {
      await taskName(db, 'source', params.id)
      return readLogs(db, params.id, query.limit, zone)
    },
    clearLogs: ({ params, user }, { db }) => clearLogs(db, user, { category: 'source', id: params.id }),
  },
  constraints,
}
