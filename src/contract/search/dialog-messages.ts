import { formatted } from '../counted.ts'

const counted = (count: number, word: string) => `${formatted(count)} ${count === 1 ? word : `${word}s`}`

/** Texts of the search over tasks, types, screens and actions. */
export const searchMessages = {
  placeholder: 'Search tasks, types, screens and actions',
  results: 'Results',
  close: 'Close search',
  recent: 'Recent',
  screens: 'Go to',
  actions: 'Actions',
  tasks: 'Tasks',
  types: 'Task types',
  run: 'Run',
  run_task: (name: string) => `Run ${name}`,
  type_of: (category: string, tasks: number) => `${category} type, ${counted(tasks, 'task')}`,
  all_of: (count: number, category: string) => `All ${formatted(count)} ${category} that match`,
  searching: 'Searching…',
  found: (count: number) => (count === 0 ? 'No result' : counted(count, 'result')),
  nothing: (text: string) => `Nothing matches “${text}”.`,
  nothing_hint: 'Try part of a name, a spreadsheet, a sheet or the id of a task.',
  nothing_signed_out: 'Sign in to search tasks and types.',
  failed: 'Tasks and types could not be searched.',
  hint_choose: 'choose',
  hint_open: 'open',
  hint_close: 'close',

  // running
  ask_run: (name: string) => `Run ${name} now?`,
  ask_run_text: 'The run starts as soon as a worker, its type and its prerequisites allow.',
  compile_started: (name: string) => `The compile of ${name} has started.`,
  run_failed: (name: string) => `Failed to run ${name}.`,

  // actions
  add_sync_task: 'Add sync task',
  add_source_task: 'Add source task',
  add_sync_type: 'Add sync task type',
  add_source_type: 'Add source task type',
  import_file: 'Import a CSV file',
  export_file: 'Export as CSV',
  switch_scheme: (scheme: string) => `Switch to ${scheme} colours`,
  show_keys: 'Show keyboard shortcuts',
  single_keys_off: 'Switch single-key shortcuts off',
  single_keys_on: 'Switch single-key shortcuts on',
  help: 'Open help on this page',
  sign_in: 'Sign in',
  sign_out: 'Sign out',
} as const

/** Texts of the list of keyboard shortcuts. */
export const keyMessages = {
  title: 'Keyboard shortcuts',
  scopes: {
    everywhere: 'Everywhere',
    lists: 'Lists',
    rows: 'Rows of tasks',
    pages: 'Page of a task',
    records: 'Compiled record',
  },
  does: {
    palette: 'Search tasks, screens and actions',
    keys: 'Show this list',
    search: 'Go to the search field',
    add: 'Add an item',
    next_control: 'Next control of a row, a group or the navigation',
    previous_control: 'Previous control',
    next_row: 'Next task',
    previous_row: 'Previous task',
    open_row: 'Open the task',
    select_row: 'Select the task, with Shift a range',
    run_row: 'Run the task, after a question',
    edit_row: 'Edit the task',
    favourite_row: 'Add the task to the favourites, or remove it',
    favourite: 'Add it to the favourites, or remove it',
    find_field: 'Search the fields of the record',
  },
  /** Keys of one component, which it handles while it has the focus. */
  components: [
    {
      title: 'Timeline of runs',
      lines: [
        { keys: ['ArrowLeft', 'ArrowRight'], does: 'Previous and next run of the row' },
        { keys: ['ArrowUp', 'ArrowDown'], does: 'Row above and below' },
        { keys: ['Home', 'End'], does: 'First and last run' },
        { keys: ['Enter'], does: 'Open the run' },
        { keys: ['+', '-'], does: 'Zoom in and out' },
        { keys: ['Shift', 'ArrowLeft', 'ArrowRight'], does: 'Earlier and later, with Shift' },
        { keys: ['Escape', '0'], does: 'Show all' },
      ],
    },
    {
      title: 'Logs',
      lines: [
        { keys: ['Enter'], does: 'Next match, in the search field' },
        { keys: ['Shift', 'Enter'], does: 'Previous match' },
        { keys: ['ArrowUp', 'ArrowDown'], does: 'Copy button of another line' },
      ],
    },
    {
      title: 'Dependency graph',
      lines: [
        { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], does: 'Nearest type in that direction' },
        { keys: ['Enter'], does: 'Choose the type, or unfold its group' },
      ],
    },
  ],
  single_keys: 'Single-key shortcuts',
  single_keys_hint: 'Off: letters and signs do nothing outside of fields. Stored in this browser.',
} as const
