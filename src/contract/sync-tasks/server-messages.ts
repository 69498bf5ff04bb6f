/** What the server answers on sync tasks. */
export const syncTaskServerMessages = {
  // adding and editing
  target_taken:
    'This task conflicts with an existing task. Please check the values and try again. ' +
    'Two tasks that write to the same target sheet would overwrite each other’s rows.',
} as const
