import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

const named = (name: string) => `‘${quoted(name)}’`

/** Messages of the server about uploaded files. */
export const uploadServerMessages = {
  name_invalid: (name: string) =>
    `${named(name)} is not the name of a file that can be kept. Rename it to letters, digits, blanks, dots and dashes.`,
  name_long: (most: number) => `The name of a file can have ${formatted(most)} characters. Rename it.`,
  other_source: 'This task does not read a sheet. Change its source type to Sheet first.',
  no_such_tab: (name: string, tab: string, tabs: readonly string[]) =>
    `${named(name)} has no tab ${named(tab)}, which this task reads. It has ${tabs.map(named).join(', ')}. Edit the task, or upload another file.`,
} as const
