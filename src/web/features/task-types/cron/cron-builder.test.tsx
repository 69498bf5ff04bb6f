import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import { CronBuilder } from './cron-builder.tsx'
import { checkStateOf, cronQuery } from './cron-check.ts'
import { presetOf, presets } from './presets.ts'

const reply = {
  cron_expression: '30 2 * * *',
  valid: true,
  error_message: null,
  next_run_times: ['2027-03-13T07:30:00.000Z', '2027-03-14T07:00:00.000Z', '2027-03-15T06:30:00.000Z'],
  time_zone: 'America/New_York',
  words: 'At 02:30',
  warnings: ['On Mar 14, 2027 clocks go forward.'],
}
const invalid = { ...reply, valid: false, next_run_times: [], words: null, warnings: [] }
const idle = { data: undefined, isError: false, isFetching: false }

function shown(
  value: string,
  known: typeof reply | typeof invalid,
  props: { autoValidate?: boolean; error?: string } = {},
) {
  const client = new QueryClient()
  client.setQueryData(cronQuery(known.cron_expression, undefined).queryKey, known)
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <CronBuilder value={value} onChange={() => {}} {...props} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('twelve presets with their expressions', () => {
  expect(presets.map(({ name, cron }) => `${name}: ${cron}`)).toEqual([
    'Every minute: * * * * *',
    'Every 5 minutes: */5 * * * *',
    'Every 15 minutes: */15 * * * *',
    'Every 30 minutes: */30 * * * *',
    'Hourly: 0 * * * *',
    'Every 2 hours: 0 */2 * * *',
    'Every 6 hours: 0 */6 * * *',
    'Daily at midnight: 0 0 * * *',
    'Daily at 2 AM: 0 2 * * *',
    'Daily at 6 AM: 0 6 * * *',
    'Weekly (Sunday): 0 0 * * 0',
    'Monthly (1st): 0 0 1 * *',
  ])
  expect([presetOf(' 0  2 * * * '), presetOf('0 3 * * *'), presetOf('')]).toEqual([
    'Daily at 2 AM',
    null,
    null,
  ])
})

test('a result applies only to the text that was checked', () => {
  expect(checkStateOf('30 2 * * *', '30 2 * * *', { ...idle, data: reply })).toEqual({ kind: 'valid', reply })
  expect(checkStateOf(' 30 2 * * * ', '30 2 * * *', { ...idle, data: reply }).kind).toBe('valid')
  expect(checkStateOf('30 3 * * *', '30 2 * * *', { ...idle, data: reply })).toEqual({ kind: 'not_checked' })
  expect(checkStateOf('30 3 * * *', '30 2 * * *', { ...idle, isError: true })).toEqual({
    kind: 'not_checked',
  })
  expect(checkStateOf('', '', idle)).toEqual({ kind: 'not_checked' })
})

test('an invalid expression has the server’s message or the default one; a failed call has its own', () => {
  const of = (query: Partial<Parameters<typeof checkStateOf>[2]>) =>
    checkStateOf('x', 'x', { ...idle, ...query })
  expect(of({ isFetching: true })).toEqual({ kind: 'checking' })
  expect(of({ data: { ...invalid, error_message: 'Five fields' as never } })).toEqual({
    kind: 'invalid',
    message: 'Five fields',
  })
  expect(of({ data: invalid })).toEqual({ kind: 'invalid', message: 'Invalid cron expression' })
  expect(of({ isError: true })).toEqual({ kind: 'invalid', message: 'Error validating cron expression' })
})

test('a valid expression shows its description, warnings and next three runs in the schedule time zone', () => {
  const html = shown('30 2 * * *', reply, { autoValidate: true })
  for (const text of [
    'Valid cron expression',
    'At 02:30',
    reply.warnings[0],
    'Next 3 Run Times',
    'America/New_York',
  ])
    expect(html).toContain(text)
  for (const moment of [
    'Sat, Mar 13, 2027, 02:30 EST',
    'Sun, Mar 14, 2027, 03:00 EST',
    'Mon, Mar 15, 2027, 02:30 EST',
  ])
    expect(html).toContain(moment)
})

test('validation starts automatically only with autoValidate; the help describes the five fields', () => {
  const html = shown('30 2 * * *', reply)
  expect(html).not.toContain('Valid cron expression')
  expect(html).toContain(taskTypeMessages.cron_unasked)
  expect(html).toContain('Five fields: minute (0–59), hour (0–23), day of month (1–31)')
})

test('an error of the server takes precedence over that of the form', () => {
  const error = 'Cron schedule is required when scheduling is enabled'
  expect(shown('', reply, { error })).toContain(error)
  const html = shown(
    '30 2 * * *',
    { ...invalid, error_message: 'There is no such hour' as never },
    { error, autoValidate: true },
  )
  expect(html).toContain('There is no such hour')
  expect(html).not.toContain(error)
})
