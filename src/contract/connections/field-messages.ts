/** Validation messages of a connection. */
export const connectionFieldMessages = {
  url_required: 'The address is required',
  statement_required: 'The statement is required',
} as const
