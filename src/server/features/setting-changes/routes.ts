import { settingChanges } from '../../../contract/setting-changes/calls.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { readSettingChanges } from '../../tasks/setting-changes/read-history.ts'

/** History of the settings of tasks and types. */
export const settingChangesFeature: Feature<typeof settingChanges, { db: Db }> = {
  calls: settingChanges,
  handlers: {
    ofTask: async ({ params, query }, { db }) => {
      const task = await db.selectFrom('tasks').select('id').where('id', '=', params.id).executeTakeFirst()
      if (task === undefined) throw new NamedError('task_not_found')
      return readSettingChanges(db, { task_id: params.id }, query)
    },
    ofType: async ({ params, query }, { db }) => {
      const type = await db
        .selectFrom('task_types')
        .select('id')
        .where('id', '=', params.id)
        .executeTakeFirst()
      if (type === undefined) throw new NamedError('type_not_found')
      return readSettingChanges(db, { task_type_id: params.id }, query)
    },
  },
}
