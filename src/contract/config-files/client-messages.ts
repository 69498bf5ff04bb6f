import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

/** Texts about compiler configurations in CSV files. */
export const compilerFileMessages = {
  source_unknown: (name: string) =>
    `There is no source task ‘${quoted(name)}’. Import the source tasks first, or correct the name.`,
  source_ambiguous: (name: string, ids: readonly number[]) =>
    `${formatted(ids.length)} source tasks are called ‘${quoted(name)}’. Write ${ids.map((id) => `task-${id}`).join(' or ')}.`,
  no_list: 'Enter a JSON list, such as [], or leave the cell blank',
  mapping_not_merged: (name: string) => `‘${quoted(name)}’ is not among the sources of this configuration`,
  title: 'Import configurations',
  hint: 'UTF-8, at most 10 MB. Columns as in an export.',
  explained:
    'Configurations are identified by their name, sources by the names of their tasks. Overrides have files of their own.',
  exported: 'Compiler configurations exported',
  export_failed: 'Failed to export the configurations',
  import_failed: 'Failed to import the configurations',
} as const
