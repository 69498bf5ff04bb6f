import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Filled, NullableJson } from './column-types.ts'

/** Rows that runs stored. */
export type SnapshotTables = {
  snapshots: {
    id: Generated<number>
    task_id: number | null
    run_id: number | null
    kind: 'copy' | 'before' | 'source' | 'compiled'
    columns: JSONColumnType<string[], string | undefined, string>
    header: JSONColumnType<(string | number | boolean | null)[], string | undefined, string>
    formats: ColumnType<unknown, string | undefined, string>
    format_runs: ColumnType<unknown, string | undefined, string>
    row_count: Filled<number>
    hash: string | null
    completed_at: Date | null
    pinned_until: Filled<Date>
    rows_of: Filled<number | null>
    removed: Filled<Buffer>
    source_columns: Filled<(number | null)[] | null>
    source_rows: Filled<number[] | null>
    read_snapshot_id: Filled<number | null>
    source_parts: ColumnType<unknown, string | null | undefined, string | null>
    created_at: Filled<Date>
    formulas: NullableJson<unknown>
    bytes: string | null
    column_changes: NullableJson<unknown>
  }
  snapshot_rows: {
    snapshot_id: number
    row_no: number
    cells: JSONColumnType<(string | number | boolean | null)[]>
  }
  snapshot_orders: {
    snapshot_id: number
    column_no: number
    filled: number
    created_at: Filled<Date>
  }
  snapshot_order_parts: {
    snapshot_id: number
    column_no: number
    part_no: number
    row_nos: number[]
  }
  spreadsheet_names: { spreadsheet_id: string; name: string }
}
