import type { ColumnType } from 'kysely'

/** A column with a default, optional in inserts and updates. */
export type Filled<T> = ColumnType<T, T | undefined, T>
/** A JSON column, written as text. */
export type Json<T> = ColumnType<T, string, string>
/** A JSON column with a default. */
export type FilledJson<T> = ColumnType<T, string | undefined, string>
/** A JSON column that can be null. */
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
