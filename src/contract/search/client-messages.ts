/** Texts of the button that opens the search. */
export const searchButton = { label: 'Search tasks, screens and actions', short: 'Search…' } as const
