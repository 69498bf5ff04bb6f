/** Sections of the settings in their order, with the labels of the index. */
export const sections = [
  { id: 'schedules', label: 'Schedules' },
  { id: 'presets', label: 'Presets' },
  { id: 'limits', label: 'Limits' },
  { id: 'accounts', label: 'Accounts' },
  { id: 'connections', label: 'Connections' },
  { id: 'hosts', label: 'Hosts' },
  { id: 'folders', label: 'Folders' },
  { id: 'alarms', label: 'Alarms' },
] as const

/** A section as the address names it: `/settings#alarms`. */
export type SectionId = (typeof sections)[number]['id']
