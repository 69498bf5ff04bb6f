import { compiler } from '../../../contract/compiler.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { createConfig, deleteConfig, updateConfig } from './commands.ts'
import { listConfigs, readConfig } from './queries.ts'

type Deps = { db: Db }

/** The data compiler's configurations. */
export const compilerFeature: Feature<typeof compiler, Deps> = {
  calls: compiler,
  handlers: {
    listConfigs: ({ query }, { db }) =>
      listConfigs(db, query.is_active === undefined ? undefined : query.is_active === 'true'),
    createConfig: async ({ body, user }, { db }) => readConfig(db, await createConfig(db, user, body)),
    updateConfig: async ({ params: { id }, body, user }, { db }) => {
      await updateConfig(db, user, id, body)
      return readConfig(db, id)
    },
    deleteConfig: ({ params: { id }, user }, { db }) => deleteConfig(db, user, id),
  },
  constraints: {
    compiler_configs_name_key: { error: 'config_name_taken', field: 'name' },
    tasks_type_name_key: { error: 'config_name_taken', field: 'name' },
    compiler_sources_task_fkey: { error: 'source_task_gone', field: 'source_task_ids' },
    sync_tasks_compiler_config_fkey: { error: 'config_in_use', field: 'id' },
    source_tasks_origin_fkey: { error: 'config_in_use', field: 'id' },
    task_types_compiler_config_fkey: { error: 'config_in_use', field: 'id' },
  },
}
