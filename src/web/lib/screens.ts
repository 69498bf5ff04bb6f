/** A screen with a fixed URL; `includes`: URLs of screens that it leads to; `is_public`: it needs no session. */
export type Screen = { label: string; path: string; includes?: readonly string[]; is_public?: true }

/** Screens of the main navigation, in its order. */
export const mainScreens: readonly Screen[] = [
  { label: 'Home', path: '/', is_public: true },
  { label: 'Sync Tasks', path: '/sync_tasks', includes: ['/plans', '/lineage'] },
  { label: 'Source Tasks', path: '/source_tasks' },
  { label: 'Compiler', path: '/compiler' },
  { label: 'Runs', path: '/runs' },
  { label: 'Task Types', path: '/sync_task_types' },
  { label: 'Source Task Types', path: '/source-task-types' },
  { label: 'Unified Types', path: '/unified-task-types' },
  { label: 'Settings', path: '/settings' },
  { label: 'Import/Export', path: '/import_export', is_public: true },
]
