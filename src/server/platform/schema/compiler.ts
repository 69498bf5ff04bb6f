import type { Generated } from 'kysely'
import type { FieldCheck, FieldRule } from '../../../contract/field-checks/field-checks.ts'
import type { CellValue } from '../../../contract/tables.ts'
import type { Filled, FilledJson, Json, NullableJson } from './column-types.ts'

/** Compiler configurations with their rules, and the versions that compiles stored. */
export type CompilerTables = {
  compiled_blocks: {
    snapshot_id: number
    first_row: number
    skus: string[]
    ends: number[]
    cells: Buffer
    found: Buffer
    field_sources: Buffer
    source_rows: Buffer
    times: Buffer
    hashes: Buffer | null
    before_rows: Buffer
  }
  compiled_completeness: {
    snapshot_id: number
    fields_hash: string
    complete: number
    missing: Json<{ field: string; records: number }[]>
    incomplete: Buffer
  }
  compiled_disagreements: {
    id: Generated<number>
    snapshot_id: number
    field: number
    texts: string
    options: Json<{ text: string; sources: number[]; wins: number }[]>
    records: number
    rows: number[]
    decision_id: number | null
  }
  compiled_disputes: {
    snapshot_id: number
    field: number
    sources: number[]
    decision_id: number
    records: number
    unlisted: number
  }
  compiled_failures: {
    snapshot_id: number
    check_no: number
    rows: Buffer
    median: number | null
  }
  compiled_overrides: {
    snapshot_id: number
    row_no: number
    field: number
    override_id: number
  }
  compiled_quality: {
    snapshot_id: number
    fields: Json<unknown>
    moves: Json<unknown>
  }
  compiled_sets: {
    snapshot_id: number
    name: string
    rows: Buffer
    created_at: Filled<Date>
  }
  compiled_sku_texts: {
    snapshot_id: number
    part_no: number
    skus: string
  }
  compiled_versions: {
    snapshot_id: number
    compiler_config_id: number
    sources: Json<{ task_id: number; name: string }[]>
    has_blanks: Filled<Buffer>
    has_errors: Filled<Buffer>
    is_duplicate: Filled<Buffer>
    required_fields: FilledJson<string[]>
    source_versions: FilledJson<
      ({
        snapshot_id: number
        columns: (number | null)[]
        formats?: Record<number, object>
        runs?: object
      } | null)[]
    >
    rows_read: Filled<number>
    added: Filled<number>
    changed: Filled<number>
    gone: Filled<number>
    added_rows: Filled<Buffer>
    changed_rows: Filled<Buffer>
    gone_rows: Filled<Buffer>
    merged_from: Filled<string | null>
    without_sku: Filled<number[]>
    field_checks: FilledJson<FieldCheck[]>
  }
  compiler_configs: {
    id: Generated<number>
    task_id: number
    description: Filled<string>
    required_fields: FilledJson<string[]>
    field_groups: FilledJson<string[][]>
    field_priorities: FilledJson<{ field: string; source_task_ids: number[] }[]>
    column_names: FilledJson<{ source_task_id: number; column: string; field: string }[]>
    field_checks: FilledJson<FieldCheck[]>
    field_rules: FilledJson<FieldRule[]>
    approval_percent: number | null
    stale_days: number | null
  }
  compiler_decisions: {
    id: Generated<number>
    compiler_config_id: number
    field: string
    texts: string | null
    text: string | null
    source_task_id: number | null
    reason: string
    author_id: number | null
    author: string
    created_at: Filled<Date>
    batch: number
    replaces: number | null
    ended_at: Date | null
    end_reason: 'removed' | 'replaced' | 'undone' | null
    ended_by: string | null
  }
  compiler_overrides: {
    id: Generated<number>
    compiler_config_id: number
    sku: string
    field: string
    value: Json<CellValue>
    reason: string
    ends_on: string | null
    state: Filled<'active' | 'review' | 'ended'>
    found: 'applied' | 'no_sku' | 'no_field' | null
    accepted: NullableJson<Record<string, CellValue>>
    observed: NullableJson<Record<string, CellValue>>
    author_id: number | null
    author: string
    created_at: Filled<Date>
    batch: number
    replaces: number | null
    ended_at: Date | null
    end_reason: 'date' | 'same' | 'dropped' | 'replaced' | 'undone' | null
    ended_by: string | null
  }
  override_decisions: {
    batch: number
    override_id: number
    decision: 'keep' | 'drop'
    former: NullableJson<Record<string, CellValue>>
    accepted: NullableJson<Record<string, CellValue>>
    at: Filled<Date>
  }
  compiler_sku_mappings: {
    compiler_config_id: number
    source_task_id: number
    sku: string
    master_sku: string
  }
  compiler_sources: {
    compiler_config_id: number
    source_task_id: number
    position: number
    is_master: boolean
  }
}
