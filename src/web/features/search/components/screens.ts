import { mainScreens, type Screen } from '../../../lib/screens.ts'

// Other words that a screen is found by.
const words: Record<string, string> = {
  '/': 'status overview pipeline',
  '/sync_tasks': 'copy target',
  '/source_tasks': 'ingest read',
  '/compiler': 'records quality configurations',
  '/sync_task_types': 'sync groups',
  '/source-task-types': 'groups',
  '/unified-task-types': 'graph dependencies',
  '/settings': 'presets accounts connections hosts alarms schedules',
  '/import_export': 'csv files upload download',
  '/runs': 'history timeline last night failed',
  '/schedule': 'calendar times next runs',
  '/source-schedule': 'cron times',
  '/users': 'people accounts access',
  '/tokens': 'keys access agents',
  '/lineage': 'where from origin source lineage link',
  '/dev': 'errors server',
}

const others: readonly Screen[] = [
  { label: 'Schedule', path: '/schedule', is_public: true },
  { label: 'Source Schedule', path: '/source-schedule' },
  { label: 'Find a cell', path: '/lineage' },
  { label: 'Users', path: '/users' },
  { label: 'API tokens', path: '/tokens' },
  { label: 'Developer logs', path: '/dev', is_public: true },
]

/** All screens with a fixed URL, and other words that a search finds them by. */
export const screens = [...mainScreens, ...others].map((screen) => ({
  ...screen,
  words: words[screen.path] ?? '',
}))
