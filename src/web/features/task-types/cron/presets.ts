/** Cron presets by label. */
export const presets = [
  { name: 'Every minute', cron: '* * * * *' },
  { name: 'Every 5 minutes', cron: '*/5 * * * *' },
  { name: 'Every 15 minutes', cron: '*/15 * * * *' },
  { name: 'Every 30 minutes', cron: '*/30 * * * *' },
  { name: 'Hourly', cron: '0 * * * *' },
  { name: 'Every 2 hours', cron: '0 */2 * * *' },
  { name: 'Every 6 hours', cron: '0 */6 * * *' },
  { name: 'Daily at midnight', cron: '0 0 * * *' },
  { name: 'Daily at 2 AM', cron: '0 2 * * *' },
  { name: 'Daily at 6 AM', cron: '0 6 * * *' },
  { name: 'Weekly (Sunday)', cron: '0 0 * * 0' },
  { name: 'Monthly (1st)', cron: '0 0 1 * *' },
] as const

/** Preset that equals an expression, ignoring white space; null if there is none. */
export const presetOf = (text: string): string | null => {
  const cron = text.trim().replaceAll(/\s+/g, ' ')
  return presets.find((preset) => preset.cron === cron)?.name ?? null
}
