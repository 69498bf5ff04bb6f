import { limits } from '../../../../contract/limits.ts'
import type { RowSample } from '../../../../contract/rows/row-sample.ts'
import type { RowSettings } from '../../../../contract/rows/row-settings.ts'
import type { FurtherSource } from '../../../../contract/rows/write-settings.ts'
import type { RowSampleBody } from '../../../../contract/sync-tasks/edits.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

/** Task and name of the compiler configuration of an internal source. */
type ConfigOfSource = { source_task_id: number | null; source_name: string }

/** A source, with the rows and columns of it that are wanted. */
export type SourceOfSample = RowSettings &
  ConfigOfSource &
  Pick<
    RowSampleBody,
    | 'source_type'
    | 'source_ss_id'
    | 'source_sheet_name'
    | 'start_row'
    | 'key_columns'
    | 'split_by'
    | 'source_csv_delimiter'
    | 'source_csv_encoding'
    | 'source_csv_quote'
  > & {
    excluded_fields: readonly string[]
    further: readonly (Pick<FurtherSource, 'source_type' | 'source_ss_id' | 'source_sheet_name'> &
      ConfigOfSource)[]
  }

/** Reads the first rows of a source with a user's own account. Throws NamedError `no_grant`, `spreadsheet_…` or `google_unavailable`. */
export type SampleRows = (user_id: number, source: SourceOfSample, signal: AbortSignal) => Promise<RowSample>

/** Reads what a task with these settings would copy. Throws as `SampleRows`, or NamedError `google_unavailable` after 20 seconds. */
export async function readRowSample(
  { db, sampleRows }: { db: Db; sampleRows: SampleRows },
  user: { id: number },
  { source_compiler_config_id, sync_preset_id, more_sources, ...body }: RowSampleBody,
  signal: AbortSignal,
): Promise<RowSample> {
  const config = await configOf(db, source_compiler_config_id)
  const further = []
  for (const { source_compiler_config_id: id, ...source } of more_sources)
    further.push({ ...source, ...(await configOf(db, id)) })
  const excluded_fields = await fieldsOf(db, sync_preset_id)
  const late = AbortSignal.timeout(limits.sample_ms)
  const source = {
    ...body,
    ...config,
    further,
    excluded_fields,
  }
  try {
    return await sampleRows(user.id, source, AbortSignal.any([signal, late]))
  } catch (error) {
    if (late.aborted && error === late.reason) throw new NamedError('google_unavailable', { cause: error })
    throw error
  }
}

async function configOf(db: Db, id: number | null): Promise<ConfigOfSource> {
  if (id === null) return { source_task_id: null, source_name: '' }
  const config = await db
    .selectFrom('compiler_configs as c')
    .innerJoin('tasks as t', 't.id', 'c.task_id')
    .select(['t.id as source_task_id', 't.name as source_name'])
    .where('c.id', '=', id)
    .executeTakeFirst()
  return config ?? { source_task_id: null, source_name: '' }
}

async function fieldsOf(db: Db, preset_id: number | null): Promise<string[]> {
  if (preset_id === null) return []
  const preset = await db
    .selectFrom('sync_presets')
    .select('excluded_fields')
    .where('id', '=', preset_id)
    .executeTakeFirst()
  return preset?.excluded_fields ?? []
}
