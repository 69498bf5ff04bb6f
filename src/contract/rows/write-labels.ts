import type { WriteSettings } from './write-settings.ts'

type Choices = 'write_mode' | 'on_missing' | 'on_bad_keys' | 'on_cells_beside'

/** Labels of the choices that say how rows come into a target. */
export const writeLabels: { [Field in Choices]: Record<NonNullable<WriteSettings[Field]>, string> } = {
  write_mode: { replace: 'Replace', update: 'Update by key', append: 'Append' },
  on_missing: { keep: 'Keep them', clear: 'Clear their cells', mark: 'Mark them' },
  on_bad_keys: { fail: 'Stop the run', skip: 'Skip these rows' },
  on_cells_beside: { fail: 'Stop the run', warn: 'Write, with a warning' },
}

/** Label of one of these choices by setting and value; undefined: another setting. */
export const writeLabel = (setting: string, value: string): string | undefined =>
  (writeLabels as Readonly<Record<string, Readonly<Record<string, string>>>>)[setting]?.[value]

/** How the rows of a task come into its target, in a few words; null: they replace the target's, from one source. */
export function writeText(
  task: Pick<WriteSettings, 'write_mode' | 'key_columns' | 'split_by' | 'more_sources'>,
): string | null {
  const { write_mode, key_columns, split_by, more_sources } = task
  const parts = [
    write_mode === 'update' && `Update by ${key_columns.join(' + ')}`,
    write_mode === 'append' && (key_columns.length > 0 ? `Append by ${key_columns.join(' + ')}` : 'Append'),
    split_by !== null && `one tab per ${split_by}`,
    more_sources.length > 0 && `${more_sources.length + 1} sources`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts.join(' · ') : null
}
