import { quoted } from '../quoted.ts'

/** Messages of the server about task types. */
export const taskTypeServerMessages = {
  // sync task types
  type_name_taken: 'A task type with this name already exists. Please use a different name.',
  cron_of_sync:
    'Sync tasks have scheduled times of their own. A cron schedule is for source and compiler types.',
  config_of_others: 'Only compiler task types have a compiler configuration',
  compiler_config_taken: (type: string) =>
    `The task type “${quoted(type)}” compiles this configuration already.`,
  category_fixed: 'The category of a task type never changes.',
  origin_cycle: (way: readonly string[]) =>
    `A task cannot read from itself: ${way
      .toReversed()
      .map((name) => quoted(name))
      .join(' → ')}`,
  section_changed:
    'Tasks were added, moved or deleted meanwhile. Look at the list again and repeat the move.',
  named_twice: (id: number) => `Task ${id} is named twice`,
  order_changed: 'Task types were added or deleted meanwhile. Look at the list again and repeat the move.',
} as const
