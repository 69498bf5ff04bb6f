import { quoted } from '../quoted.ts'

/** Texts of the server about the schedule of a task whose target holds an older version. */
export const versionServerMessages = {
  schedule_paused: (name: string) => `No schedule runs ${quoted(name)} until you resume it`,
  schedule_resumed: (name: string) => `Schedules run ${quoted(name)} again`,
} as const
