const BY_PAGE: Record<string, string> = {
  runs: 'runs',
  sync_tasks: 'sync-tasks',
  plans: 'see-a-run-before-it-happens',
  source_tasks: 'source-tasks',
  lineage: 'where-does-this-cell-come-from',
  compiler: 'the-compiler',
  sync_task_types: 'task-types',
  'source-task-types': 'source-task-types',
  'unified-task-types': 'unified-task-types',
  settings: 'settings',
  import_export: 'files',
  schedule: 'schedules-and-clocks',
  'source-schedule': 'schedules-and-clocks',
  users: 'users',
  tokens: 'api-tokens',
  dev: 'developer-logs',
}

/** Section of the user guide about the page at a path; the home section by default. */
export function sectionOf(pathname: string): string {
  const [, page = '', ...rest] = pathname.split('/')
  const last = rest.at(-1)
  if (page.endsWith('_tasks') && last === 'logs') return 'logs'
  if (page.endsWith('_tasks') && last === 'data_copy') return 'stored-rows'
  if (page === 'settings' && rest[0] === 'connections') return 'connections'
  return BY_PAGE[page] ?? 'home'
}
