import { DEFAULT_ZONE } from '../log-entries.ts'
import { wallTime } from './wall-time.ts'

/** The label of the zone for users: New York is EST all year. */
export const zoneLabel = (zone: string): string => (zone === DEFAULT_ZONE ? 'EST' : zone)

/** "04:00 EST" */
export const dueLabel = (due_at: Date, zone: string): string =>
  `${new Date(wallTime(due_at, zone)).toISOString().slice(11, 16)} ${zoneLabel(zone)}`
