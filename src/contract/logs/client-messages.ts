/** Texts of the log of a task. */
export const logMessages = {
  all_levels: 'All levels',
  level: (name: string, lines: string) => `${name} (${lines})`,
  warnings_and_errors: 'Warnings and errors',
  none_match: 'No line matches.',
  match: (place: string, all: string) => `${place} of ${all}`,
  matches: (all: string) => `${all} found`,
  new_lines: (count: number) => (count === 1 ? '1 new line' : `${count} new lines`),
  older: 'Show older lines',
  loading_older: 'Loading older lines…',
  older_failed: 'Failed to load older lines',
  without_run: 'Not part of a run',
  run: (id: number) => `Run ${id}`,
  receipt: 'Receipt',
  line_copied: 'Line copied to clipboard',
  newest_copied: (lines: string, all: string) =>
    `The ${lines} loaded lines of ${all} were copied. Scroll to the end to load older lines.`,
} as const
