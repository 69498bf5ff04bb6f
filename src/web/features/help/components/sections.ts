const BY_PAGE: Record<string, string> = {
  sync_tasks: 'sync-tasks',
  source_tasks: 'source-tasks',
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

/** The section of the user guide that is about the page at a path; the home page's where none is. */
export function sectionOf(pathname: string): string {
  const [, page = '', ...rest] = pathname.split('/')
  const last = rest.at(-1)
  if (page.endsWith('_tasks') && last === 'logs') return 'logs'
  if (page.endsWith('_tasks') && last === 'data_copy') return 'stored-rows'
  if (page === 'settings' && rest[0] === 'connections') return 'connections'
  return BY_PAGE[page] ?? 'home'
}
