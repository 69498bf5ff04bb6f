export const ChosenFilters = (_: { config: unknown; filters: unknown; onChange: unknown }) => null
