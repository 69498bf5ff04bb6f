import { formatted } from './counted.ts'

const cells = (count: number) => `${formatted(count)} ${count === 1 ? 'cell' : 'cells'}`

/** What the page of a sync task and its dialog say by themselves. */
export const syncPageMessages = {
  target_holds: (rows: number) =>
    `It holds ${formatted(rows)} ${rows === 1 ? 'row' : 'rows'}, which the first run replaces.`,
  target_owned:
    'Runs write their columns, from the start row to the bottom. Rows above and columns beside stay.',
  foreign_title: 'The target holds cells of somebody else’s',
  foreign_text: (count: number, columns: readonly string[]) =>
    `The last run would have written over ${cells(count)} in ${columns.length === 1 ? 'column' : 'columns'} ${columns.join(', ')}, so it wrote nothing. Put this right in the target and run the task again, or replace these cells.`,
  foreign_owner: (email: string) => `Only ${email}, whose account runs this task, may replace them.`,
  foreign_nobody: 'Nobody’s account runs this task, so nobody may replace them yet.',
  replace: 'Replace them',
  replace_title: 'Replace cells of somebody else’s?',
  replace_text: (count: number, target: string) =>
    `One run writes over these ${cells(count)} in ${target}. Cells that are added or changed until then make it end as Failed again. What stands there now is kept until the next run as the target’s former rows.`,
  replace_failed: 'Failed to replace the cells',
}
