import type { BodyOf } from '../../../../contract/calls.ts'
import type { MergeSettings } from '../../../../contract/compiler/configs.ts'
import type { CompilerPreview, compilerPreview } from '../../../../contract/compiler/preview.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { FieldFormats } from '../../../snapshots/field-formats.ts'
import { checkSettings } from '../commands/merge-settings.ts'
import type { RecordFlags } from './flags.ts'
import { shown } from './records.ts'

const RETRY_SECONDS = 2

type Wanted = {
  sources: { task_id: number; name: string; is_master: boolean }[]
  settings: MergeSettings
  config_id: number | null
  user_id: number
}

type Record = RecordFlags & {
  sku: string
  cells: CellValue[]
  found: Uint8Array
  field_sources: Uint8Array
  source_rows: number[]
}

/** Merges the first records of a configuration without storing them. */
export type PreviewCompile = (wanted: Wanted) => Promise<
  | {
      ok: true
      fields: string[]
      formats: FieldFormats
      sources: { task_id: number; name: string; row_count: number }[]
      warnings: string[]
      records: Record[]
    }
  | { ok: false; busy: true }
  | { ok: false; busy: false; reason: string }
>

type Deps = { db: Db; previewCompile: PreviewCompile }

/**
 * Previews the first records of a configuration. Throws NamedError `master_not_source`, `merge_setting_invalid`,
 * `source_task_gone`, `preview_failed` with the error of the compile, or `too_many_requests` while the same user runs another
 * preview.
 */
export async function previewRecords(
  { db, previewCompile }: Deps,
  user: { id: number },
  { config_id, source_task_ids, master_source_id, ...settings }: BodyOf<typeof compilerPreview.preview>,
): Promise<CompilerPreview> {
  if (!source_task_ids.includes(master_source_id))
    throw new NamedError('master_not_source', { field: 'master_source_id' })
  checkSettings(settings, source_task_ids)
  const names = await sourceNames(db, source_task_ids)
  const preview = await previewCompile({
    sources: source_task_ids.map((task_id) => ({
      task_id,
      name: names.get(task_id) ?? '',
      is_master: task_id === master_source_id,
    })),
    settings,
    config_id,
    user_id: user.id,
  })
  if (!preview.ok)
    throw preview.busy
      ? new NamedError('too_many_requests', { retry_after_seconds: RETRY_SECONDS })
      : new NamedError('preview_failed', { message: preview.reason })
  const { fields, formats, sources, warnings, records } = preview
  const { required_fields, field_checks } = settings
  return {
    fields,
    records: records.map((record) =>
      shown(
        record,
        { fields, formats, required_fields, field_checks, sources, master: master_source_id },
        record,
      ),
    ),
    filled_by: records.map(({ field_sources }) =>
      Array.from(field_sources, (number) => sources[number - 1]?.task_id ?? null),
    ),
    sources: sources.map(({ task_id, name, row_count }) => ({
      source_task_id: task_id,
      name,
      rows: row_count,
    })),
    warnings,
  }
}

async function sourceNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'name'])
    .where('category', '=', 'source')
    .where('id', 'in', ids)
    .execute()
  if (rows.length < ids.length) throw new NamedError('source_task_gone', { field: 'source_task_ids' })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
