/** How many tasks of each category. */
export type TasksByCategory = { source: number; compiler: number; sync: number }

/** "3 source tasks, 1 compile, 2 sync tasks", without what there is none of. */
export const tasksByCategory = ({ source, compiler, sync }: TasksByCategory) =>
  [counted(source, 'source task'), counted(compiler, 'compile'), counted(sync, 'sync task')]
    .filter(Boolean)
    .join(', ')

const counted = (count: number, word: string) =>
  count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`
