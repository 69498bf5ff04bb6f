/** The part of the catalogue that is about connections and what source tasks fetch through them. */
export const originMessages = {
  identifier_invalid: 'Identifier must be 2–60 chars (alphanumeric, _, -)',
  url_required: 'The address is required',
  statement_required: 'The statement is required',
} as const
