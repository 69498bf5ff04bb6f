/** Query keys of a category's tasks; all start with the path of its list. */
export const keysOf = ({ api }: { api: string }) => ({
  list: [api] as const,
  firstPage: [api, 1] as const,
  overview: [`${api}/status_all`] as const,
  task: (id: number) => [`${api}/:id`, id] as const,
  logs: (id: number) => [`${api}/:id/logs`, id] as const,
  runs: (id: number) => [`${api}/:id/runs`, id] as const,
  columns: (id: number) => [`${api}/:id/data_copy/columns`, id] as const,
  data: (id: number) => [`${api}/:id/data_copy`, id] as const,
})
