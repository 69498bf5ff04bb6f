import { compiler } from '../../../contract/compiler/calls.ts'
import { compilerColumns } from '../../../contract/compiler/columns.ts'
import { compilerPreview } from '../../../contract/compiler/preview.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import { compilerRuns } from '../../../contract/compiler/runs.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { Accepted, type Feature } from '../../platform/http/feature.ts'
import { taskStates } from '../../tasks/list/task-states.ts'
import { acknowledgeWarnings, takeBack } from '../../tasks/run/acknowledge-warnings.ts'
import { clearLogs, readLogs } from '../../tasks/run/logs.ts'
import { type RunRequest, stopTask } from '../../tasks/run/run-commands.ts'
import { taskOfConfig } from '../../tasks/task-identity.ts'
import { compile } from './commands/compile.ts'
import { createConfig, deleteConfig, updateConfig } from './commands/configs.ts'
import { mapSku } from './commands/map-sku.ts'
import { nameColumn } from './commands/name-column.ts'
import { clearRecords, removeRecord } from './commands/remove.ts'
import { listConfigs, readConfig } from './queries/configs.ts'
import { exportRecords } from './queries/export.ts'
import { readLoneColumns } from './queries/lone-columns.ts'
import { type PreviewCompile, previewRecords } from './queries/preview.ts'
import { readQuality } from './queries/quality.ts'
import { readRecord } from './queries/record.ts'
import { readRecords } from './queries/records.ts'
import { readStats } from './queries/stats.ts'
import { readMappings, readUnmatched } from './queries/unmatched.ts'

type Deps = { db: Db; handlers: readonly RunHandler[] }

/** Compiler configurations. */
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
    compile: async ({ body, user, signal }, deps) => {
      const { run_id, counts } = await compile(deps, user, { ...body, signal })
      return counts === null
        ? new Accepted({ run_id })
        : { run_id, total_rows_processed: counts.rows_read, unique_skus: counts.records }
    },
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

/** Previews of configurations. */
export const compilerPreviewFeature: Feature<
  typeof compilerPreview,
  { db: Db; previewCompile: PreviewCompile }
> = {
  calls: compilerPreview,
  handlers: {
    preview: ({ body, user }, deps) => previewRecords(deps, user, body),
  },
}

type RunDeps = { db: Db; zone: string }

const by = (actor: Actor): RunRequest => ({ category: 'compiler', actor })

/** Compiles of configurations. */
export const compilerRunsFeature: Feature<typeof compilerRuns, RunDeps> = {
  calls: compilerRuns,
  handlers: {
    states: async (_, { db, zone }) => [...(await taskStates(db, { category: 'compiler' }, zone)).values()],
    stop: async ({ params: { id }, user }, { db }) => stopTask(db, by(user), await taskOfConfig(db, id)),
    logs: async ({ params: { id }, query }, { db, zone }) =>
      readLogs(db, await taskOfConfig(db, id), query.limit, zone),
    clearLogs: async ({ params: { id }, user }, { db }) =>
      clearLogs(db, user, { category: 'compiler', id: await taskOfConfig(db, id) }),
    acknowledge: async ({ params: { id }, body, user }, { db }) =>
      acknowledgeWarnings(db, by(user), await taskOfConfig(db, id), body.warning_ids),
    takeBack: async ({ params: { id }, body, user }, { db }) =>
      takeBack(db, by(user), await taskOfConfig(db, id), body.warning_ids),
  },
}

/** Compiled records. */
export const compilerRecordsFeature: Feature<typeof compilerRecords, Pick<Deps, 'db'>> = {
  calls: compilerRecords,
  handlers: {
    stats: ({ query }, { db }) => readStats(db, query.compiler_config_id),
    data: ({ query }, { db }) => readRecords(db, query),
    quality: ({ query }, { db }) => readQuality(db, query.compiler_config_id),
    record: ({ params, query }, { db }) => readRecord(db, { ...params, ...query }),
    deleteRecord: ({ params, query, user }, { db }) => removeRecord(db, user, { ...params, ...query }),
    clear: async ({ body, user }, { db }) => ({
      deleted_count: await clearRecords(db, user, body.compiler_config_id),
    }),
    unmatched: ({ query }, { db }) => readUnmatched(db, query),
    skuMappings: ({ params }, { db }) => readMappings(db, params.id),
    mapSku: ({ params, body, user }, { db }) => mapSku(db, user, { ...params, ...body }),
    export: ({ query }, { db }) => exportRecords(db, query),
  },
}

/** Mapping of source columns to fields. */
export const compilerColumnsFeature: Feature<typeof compilerColumns, Pick<Deps, 'db'>> = {
  calls: compilerColumns,
  handlers: {
    loneColumns: ({ query }, { db }) => readLoneColumns(db, query),
    nameColumn: ({ params, body, user }, { db }) => nameColumn(db, user, { ...params, ...body }),
  },
}
