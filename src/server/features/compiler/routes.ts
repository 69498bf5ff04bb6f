import { compiler } from '../../../contract/compiler/calls.ts'
import { compilerChanges } from '../../../contract/compiler/changes.ts'
import { compilerChecks } from '../../../contract/compiler/checks.ts'
import { compilerColumns } from '../../../contract/compiler/columns.ts'
import { compilerPreview } from '../../../contract/compiler/preview.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import { compilerRuns } from '../../../contract/compiler/runs.ts'
import { compilerCompleteness } from '../../../contract/completeness/calls.ts'
import { compilerFiles } from '../../../contract/config-files/calls.ts'
import { compilerDecisions } from '../../../contract/decisions/calls.ts'
import { compilerOverrides } from '../../../contract/overrides/calls.ts'
import { exportFile } from '../../csv-jobs/export.ts'
import { acceptImport } from '../../csv-jobs/upload.ts'
import { importReply } from '../../csv-jobs/wait.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { Accepted, type Feature } from '../../platform/http/feature.ts'
import { taskStates } from '../../tasks/list/task-states.ts'
import { acknowledgeWarnings, takeBack } from '../../tasks/run/acknowledge-warnings.ts'
import { clearLogs, readLogs } from '../../tasks/run/logs.ts'
import { type RunRequest, stopTask } from '../../tasks/run/run-commands.ts'
import { valuesBefore } from '../../tasks/setting-changes/revert.ts'
import { taskOfConfig } from '../../tasks/task-identity.ts'
import { compile } from './commands/compile.ts'
import { createConfig, deleteConfig, revertConfig, updateConfig } from './commands/configs.ts'
import { decideOverrides, undoOverrides } from './commands/decide-overrides.ts'
import { configImport } from './commands/import-configs.ts'
import { importOverrides } from './commands/import-overrides.ts'
import { mapSku } from './commands/map-sku.ts'
import { mapValue } from './commands/map-value.ts'
import { nameColumn } from './commands/name-column.ts'
import { clearRecords, removeRecord } from './commands/remove.ts'
import { decideSelection, removeDecisions, setDecisions, undoDecisions } from './commands/set-decisions.ts'
import { setOverrides } from './commands/set-overrides.ts'
import { setSelection } from './commands/set-selection.ts'
import { exportChanges, readChanges } from './queries/changes.ts'
import { readCompleteness } from './queries/completeness.ts'
import { listConfigs, readConfig } from './queries/configs.ts'
import { countFailures, type ReadCheckLists } from './queries/count-failures.ts'
import { listDecisions } from './queries/decisions.ts'
import { listDisagreements, listDisputes } from './queries/disagreements.ts'
import { exportRecords } from './queries/export.ts'
import { readLoneColumns } from './queries/lone-columns.ts'
import { exportOverrides, listOverrides } from './queries/overrides.ts'
import { type PreviewCompile, previewRecords } from './queries/preview.ts'
import { readQuality } from './queries/quality.ts'
import { readRecord } from './queries/record.ts'
import { readRecords } from './queries/records.ts'
import { readStats } from './queries/stats.ts'
import { readMappings, readUnmatched } from './queries/unmatched.ts'

type Deps = { db: Db; handlers: readonly RunHandler[]; zone: string }

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
    revertConfig: async ({ params: { id }, body, user }, { db, zone }) => {
      const subject = { task_id: await taskOfConfig(db, id) }
      const former = await valuesBefore(db, user, { subject, zone }, body)
      await revertConfig(db, id, former)
      return readConfig(db, id)
    },
    deleteConfig: ({ params: { id }, user }, { db }) => deleteConfig(db, user, id),
    compile: async ({ body, user, signal }, deps) => {
      const { run_id, counts } = await compile(deps, user, { ...body, signal })
      return counts === null
        ? new Accepted({ run_id })
        : {
            ...{ run_id, total_rows_processed: counts.rows_read, unique_skus: counts.records },
            ...(counts.waits && { waits: counts.waits }),
          }
    },
  },
  constraints: {
    compiler_configs_name_key: { error: 'config_name_taken', field: 'name' },
    tasks_owner_fkey: { error: 'owner_gone', field: 'owner_id' },
    tasks_type_name_key: { error: 'config_name_taken', field: 'name' },
    compiler_sources_task_fkey: { error: 'source_task_gone', field: 'source_task_ids' },
    sync_tasks_compiler_config_fkey: { error: 'config_in_use', field: 'id' },
    further_sources_compiler_config_fkey: { error: 'config_in_use', field: 'id' },
    source_tasks_origin_fkey: { error: 'config_in_use', field: 'id' },
    task_types_compiler_config_fkey: { error: 'config_in_use', field: 'id' },
  },
}

/** Configurations in CSV files; `csvWaitMs`: how long a call waits for its job, in milliseconds. */
export const compilerFilesFeature: Feature<typeof compilerFiles, Pick<Deps, 'db'> & { csvWaitMs: number }> = {
  calls: compilerFiles,
  handlers: {
    importConfigs: async ({ upload, user, signal }, { db, csvWaitMs: limit_ms }) => {
      const { type, shape } = configImport
      return importReply(db, await acceptImport(db, { type, shape, actor: user, upload }), {
        limit_ms,
        signal,
      })
    },
    exportConfigs: ({ user, signal }, { db, csvWaitMs: limit_ms }) => {
      const { filename } = compilerFiles.exportConfigs.download
      return exportFile(db, { type: 'compiler_task', filename, actor: user }, { limit_ms, signal })
    },
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
      readLogs(db, await taskOfConfig(db, id), query, zone),
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

/** What the last compile changed. */
export const compilerChangesFeature: Feature<typeof compilerChanges, Pick<Deps, 'db'>> = {
  calls: compilerChanges,
  handlers: {
    changes: ({ query }, { db }) => readChanges(db, query),
    exportChanges: ({ query }, { db }) => exportChanges(db, query),
  },
}

/** Checks and normalisation of fields. */
export const compilerChecksFeature: Feature<
  typeof compilerChecks,
  Pick<Deps, 'db'> & { readCheckLists: ReadCheckLists }
> = {
  calls: compilerChecks,
  handlers: {
    countFailures: ({ params, body, signal }, deps) =>
      countFailures(deps, { config_id: params.id, ...body, signal }),
    mapValue: ({ params, body, user }, { db }) => mapValue(db, user, { ...params, ...body }),
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

/** Values that people set for fields of SKUs. */
export const compilerOverridesFeature: Feature<typeof compilerOverrides, Pick<Deps, 'db' | 'zone'>> = {
  calls: compilerOverrides,
  handlers: {
    list: ({ params, query }, { db }) => listOverrides(db, { ...params, ...query }),
    set: ({ params, body: { values, ...rest }, user }, { db, zone }) =>
      setOverrides(db, user, {
        config_id: params.id,
        zone,
        overrides: values.map((value) => ({ ...value, ...rest })),
      }),
    setSelection: ({ params, body, user }, { db, zone }) =>
      setSelection(db, user, { config_id: params.id, zone, ...body }),
    review: ({ params, body, user }, { db }) => decideOverrides(db, user, { ...params, ...body }),
    undo: ({ params, body, user }, { db }) => undoOverrides(db, user, { ...params, ...body }),
    importCsv: ({ params, upload, user }, { db, zone }) =>
      importOverrides(db, user, { config_id: params.id, zone, upload }),
    exportCsv: ({ params, query }, { db }) => exportOverrides(db, { ...params, ...query }),
  },
}

/** Completeness of records by target. */
export const compilerCompletenessFeature: Feature<typeof compilerCompleteness, Pick<Deps, 'db'>> = {
  calls: compilerCompleteness,
  handlers: {
    completeness: ({ query }, { db }) => readCompleteness(db, query.compiler_config_id),
  },
}

/** Fields about which sources disagree, and the rules that decide them. */
export const compilerDecisionsFeature: Feature<typeof compilerDecisions, Pick<Deps, 'db'>> = {
  calls: compilerDecisions,
  handlers: {
    disagreements: ({ params, query }, { db }) => listDisagreements(db, { ...params, ...query }),
    disputes: ({ params, query }, { db }) => listDisputes(db, { ...params, ...query }),
    decisions: ({ params, query }, { db }) => listDecisions(db, { ...params, ...query }),
    decide: ({ params, body, user }, { db }) => setDecisions(db, user, { ...params, ...body }),
    decideSelection: ({ params, body, user }, { db }) => decideSelection(db, user, { ...params, ...body }),
    remove: ({ params, body, user }, { db }) => removeDecisions(db, user, { ...params, ...body }),
    undoDecisions: ({ params, body, user }, { db }) => undoDecisions(db, user, { ...params, ...body }),
  },
}
