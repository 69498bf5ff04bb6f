import type { SourcePart } from '../../../snapshots/snapshot.ts'
import type { CopyDefinition } from './copied-columns.ts'
import type { StoredVersion } from './stored-version.ts'
import type { TargetTask } from './target-tasks.ts'

type Parts = Pick<StoredVersion, 'source_parts' | 'source_columns' | 'read_snapshot_id'>

/** What is known of a copy as if it had been made of one source alone. `rowInAll`: the row among those of all sources, of one of its rows; null: none. */
export type PartOfCopy<Version> = {
  version: Version
  first_row: number
  rowInAll: (row_no: number) => number | null
}

/** The part of a copy that one of its task's sources has, by its place; null: the copy was made without it. */
export function partOfCopy<Version extends Parts>(
  version: Version,
  place: number,
): PartOfCopy<Version> | null {
  if (version.source_parts === null)
    return place > 0 ? null : { version, first_row: 1, rowInAll: (row_no) => row_no }
  const part = version.source_parts.find(({ source }) => source === place)
  if (!part) return null
  return {
    version: ofPart(version, part),
    first_row: part.first_row,
    rowInAll: (row_no) => (row_no < 1 ? row_no : row_no > part.rows ? null : part.first_row + row_no - 1),
  }
}

const ofPart = <Version extends Parts>(version: Version, part: SourcePart): Version => ({
  ...version,
  source_columns:
    version.source_columns?.map((column) => (column === null ? null : (part.columns[column] ?? null))) ??
    null,
  read_snapshot_id: part.snapshot_id,
})

/** The place of the source that a row among those of all sources is from. The header row is that of the first source that has the column. */
export function placeOfRow({ source_parts, source_columns }: Parts, row_no: number, column: number): number {
  const parts = source_parts ?? []
  const all = source_columns?.[column] ?? null
  const has = ({ columns }: SourcePart) => all === null || (columns[all] ?? null) !== null
  const part = row_no < 1 ? parts.find(has) : parts.findLast(({ first_row }) => first_row <= row_no)
  return part?.source ?? 0
}

/** The definition with one of its sources as the only one. */
export const definitionOfPart = (definition: CopyDefinition, place: number): CopyDefinition => ({
  ...definition,
  ...(place > 0 && definition.further_sources[place - 1]),
})

/** The task with one of its sources as the only one. */
export const taskOfPart = (task: TargetTask, place: number): TargetTask => ({
  ...task,
  ...(place > 0 && task.further[place - 1]),
})
