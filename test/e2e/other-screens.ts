import { type ConnectionTest, connections } from '../../src/contract/connections/calls.ts'
import { users } from '../../src/contract/users/calls.ts'
import { alarmStates } from './alarm-screens.ts'
import { expect } from './app-test.ts'
import { send } from './as-ada.ts'
import { calendarReply } from './calendar-reply.ts'
import { forecast, lateForecast } from './forecast-reply.ts'
import {
  button,
  enter,
  heading,
  inDialog,
  problem,
  type State,
  signedOut,
  withAnswers,
} from './screen-states.ts'

const refusedFile = (name: string, text: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

const CALENDAR = '**/api/schedule_calendar?*'
const AT = '2026-01-31T04:00:00.000Z'
/** Reply of testing an API connection. */
const foundByTest: ConnectionTest = {
  ok: true,
  message: 'Read 1 row in 1 page; there is more.',
  exchanges: [
    {
      method: 'GET',
      url: 'https://api.example.com/items',
      headers: [{ name: 'x-api-key', value: '[secret]' }],
      body: '',
      status: 200,
      reply_headers: [{ name: 'content-type', value: 'application/json' }],
      reply: '{"data":[{"SKU":"007","Price":1.5}]}',
      reply_bytes: 36,
      duration_ms: 12,
    },
  ],
  columns: [
    { name: 'SKU', type: 'text' },
    { name: 'Price', type: 'number' },
  ],
  rows: [['007', 1.5]],
  rows_read: 1,
  pages_read: 1,
  total: 2,
  has_more: true,
  warnings: ['1 row has more cells than the header.'],
  guess: {
    format: 'json',
    list_path: '$.data',
    total_path: '',
    paging: { style: 'none' },
    reason: 'The reply says nothing of further pages.',
  },
  file_format: null,
}

const LOG_LINES = '**/dev/logs?*'
const line = (level: string) => ({
  level,
  time: '2026-01-31T04:00:00.000Z',
  message: level,
  details: '{"ms":1}',
})
const upcoming = (current_status: string, index: number) => ({
  task_id: index + 1,
  task_name: `Prices ${index + 1}`,
  task_type: 'Prices',
  cron_schedule: '0 2 * * *',
  next_run_time: '2026-11-20T07:00:00.000Z',
  current_status,
})

/** States of all screens other than those of sync tasks, by route path. */
export const otherScreens: Record<string, Record<string, State>> = {
  '*': {
    'no such page': async (page) => {
      await page.goto('/nowhere')
      return heading(page, '404 Not Found')
    },
  },
  '/settings': {
    'schedules, presets and a time that is none': async (page) => {
      await enter(page, '/settings')
      await expect(page.getByRole('table', { name: 'Sync presets' })).toBeVisible()
      await page.getByRole('textbox', { name: 'Times' }).first().fill('24:00, 04:00,')
      await page.getByRole('textbox', { name: 'Times' }).last().fill('05:00, 05:00,')
      await expect(page.getByText('This time is already scheduled')).toBeVisible()
      return page.getByText('Please enter a valid time in HH:MM format (24-hour)')
    },
    'delete dialog': async (page) => {
      await button(page, /^Delete /).click()
      return page.getByRole('dialog')
    },
    'preset dialog with errors': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Add preset').click()
      await inDialog(page, 'Save').click()
      return page.getByText('Name at least one field to skip')
    },
    'no presets': async (page) => {
      await withAnswers(page, '/settings', { '**/api/sync_presets': [] })
      return heading(page, 'No sync presets yet')
    },
    ...alarmStates,
  },
  '/settings/connections/new': {
    'an API, with what a test found': async (page) => {
      await enter(page, '/settings/connections/new')
      const { test } = connections
      await page.route(`**${test.path}`, (route) => route.fulfill({ json: foundByTest }))
      await page.getByRole('textbox', { name: 'Address' }).fill('https://api.example.com/items')
      await button(page, 'Add header').click()
      await button(page, 'Test').click()
      await expect(page.getByText('Enter a name')).toBeVisible()
      await button(page, 'Remove header 1').click()
      await button(page, 'Test').click()
      await page.getByText('GET https').click()
      return page.getByRole('cell', { name: '007' })
    },
    'a database': async (page) => {
      await page.getByText('Database', { exact: true }).click()
      await button(page, /^Save$/).click()
      return page.getByText('The statement is required')
    },
  },
  '/settings/connections/:id': {
    'one that is gone': async (page) => {
      await enter(page, '/settings/connections/999999')
      return heading(page, 'Connections')
    },
    'connections and hosts': async (page) => {
      const settings = { kind: 'api', url: 'https://api.example.com/items' }
      const stored = {
        id: 7,
        name: 'Shop',
        kind: 'api',
        settings,
        tasks_count: 2,
        created_at: AT,
        updated_at: AT,
      }
      await withAnswers(page, '/settings', {
        '**/api/connections': [stored],
        '**/api/allowed_hosts': [{ host: 'api.example.com', added_by: 'ada@example.com', created_at: AT }],
      })
      await button(page, 'Allow').click()
      return page.getByText('Enter a host')
    },
    'a connection that is edited': async (page) => {
      await page.getByRole('link', { name: 'Edit Shop' }).click()
      return page.getByRole('heading', { name: 'Edit Connection Shop' })
    },
  },
  '/schedule': {
    'signed out': signedOut('/schedule'),
    'nothing scheduled': async (page) => {
      await enter(page, '/schedule')
      await withAnswers(page, '/schedule', { [CALENDAR]: { ...calendarReply(), entries: [] } })
      return page.getByText('No scheduled tasks found.')
    },
    'calendar that failed to load': async (page) => {
      await withAnswers(page, '/schedule', { [CALENDAR]: null })
      return problem(page)
    },
    'calendar of a day': async (page) => {
      await withAnswers(page, '/schedule', { [CALENDAR]: calendarReply() })
      return page.getByRole('table', { name: 'Entries' })
    },
    'hour of a day': async (page) => {
      await page.getByRole('region', { name: 'Conflicts' }).getByRole('link').first().click()
      return page.getByRole('button', { name: 'Close the hour' })
    },
    'calendar of a week with a clock change': async (page) => {
      await withAnswers(page, '/schedule?view=week', {
        [CALENDAR]: calendarReply({ days: 7, past: 6, clock: true }),
      })
      return page.getByRole('table', { name: 'Week by hour' })
    },
    'times by which something has to be ready': async (page) => {
      await withAnswers(page, '/schedule', {
        [CALENDAR]: calendarReply(),
        '**/api/ready_by': [
          lateForecast(),
          forecast({ id: 4, name: 'Prices' }),
          forecast({ id: 5, name: 'Feeds', ready_at_worst: '2050-01-10T12:05:00.000Z' }),
          forecast({ id: 6, name: 'New', ready_at: null, ready_at_worst: null }),
          forecast({ id: 7, name: 'Done', is_ready: true }),
        ],
      })
      return button(page, 'Move these 2 to 05:10')
    },
    'dialog of such a time': async (page) => {
      await button(page, 'Change the time of Shops').click()
      return inDialog(page, 'Remove')
    },
    'invalid time': async (page) => {
      await page
        .getByRole('dialog')
        .getByLabel(/^Ready by/)
        .fill('')
      await inDialog(page, 'Save').click()
      return page.getByText('Please enter a valid time')
    },
    'no such time': async (page) => {
      await withAnswers(page, '/schedule', { [CALENDAR]: calendarReply(), '**/api/ready_by': [] })
      return page.getByText('No task, type or target has a time by which it has to be ready.')
    },
    'table of entries': async (page) => {
      const entry = { comment: 'Prices (Daily)', command: 'Run sync task 1', schedule: '04:00 EST' }
      await withAnswers(page, '/schedule?view=table', {
        '**/api/scheduled_tasks': [false, true].map((is_paused) => ({ ...entry, is_paused })),
      })
      return page.getByRole('table')
    },
  },
  '/source-schedule': {
    'upcoming tasks': async (page) => {
      await enter(page, '/')
      const states = ['running', 'completed', 'failed', 'pending']
      await withAnswers(page, '/source-schedule', {
        '**/api/source_schedule/next_scheduled?*': { next_scheduled_tasks: states.map(upcoming) },
      })
      return page.getByRole('table', { name: 'Upcoming tasks' })
    },
    'no upcoming tasks, and the schedule stopped': async (page) => {
      await withAnswers(page, '/source-schedule', {
        '**/api/source_schedule/next_scheduled?*': { next_scheduled_tasks: [] },
        '**/api/source_schedule/status': {
          status: 'stopped',
          heartbeat: '2026-11-20T07:00:00.000Z',
          heartbeat_age_seconds: 90,
          scheduler_alive: false,
          workers: 0,
          check_interval: 60,
          stats: { queue_depth: 0, active_tasks: 0 },
        },
      })
      return page.getByText('No upcoming tasks.')
    },
    'failed loads': async (page) => {
      await withAnswers(page, '/source-schedule', { '**/api/source_schedule/*': null })
      return problem(page).first()
    },
  },
  '/users': {
    users: async (page) => {
      await enter(page, '/users')
      return page.getByRole('table', { name: 'Users' })
    },
    'filters that no user matches': async (page) => {
      await page.goto('/users?q=nothing-like-it&grant=revoked')
      return heading(page, 'No user matches these filters')
    },
    'a lost access, and a user who is not admitted': async (page) => {
      const [ada] = users.list.reply.parse(await send(page, 'GET', '/api/users'))
      await withAnswers(page, '/users', {
        '**/api/users': [
          { ...ada, grant: 'revoked' },
          { ...ada, id: 999, email: 'ben@example.com', name: 'Ben Harbour' },
          { ...ada, id: 998, email: 'cleo@example.com', name: 'Cleo Marsh', is_disabled: true },
        ],
      })
      return page.getByRole('table').getByText('Revoked')
    },
    'disable dialog': async (page) => {
      await button(page, 'Disable Ben Harbour').click()
      return page.getByRole('dialog')
    },
  },
  '/import_export': {
    'signed out': signedOut('/import_export'),
    'rows that were refused': async (page) => {
      await enter(page, '/import_export')
      await expect(heading(page, 'Import/Export')).toBeVisible()
      const columns = 'task_type,name,source_ss_id,target_ss_id,target_sheet_name'
      const row = 'Nowhere,Zeta,source-of-zeta-sheet,target-of-zeta-sheet,Data'
      await page.locator('input[type=file]').setInputFiles(refusedFile('refused.csv', `${columns}\n${row}\n`))
      return page.getByRole('table', { name: '1 row was refused' })
    },
    'a file that was refused': async (page) => {
      await page.locator('input[type=file]').setInputFiles(refusedFile('empty.csv', ''))
      return page.getByRole('listitem').filter({ hasText: 'empty.csv' })
    },
  },
  '/dev': {
    lines: async (page) => {
      await enter(page, '/')
      const lines = ['info', 'warn', 'error', 'debug'].map(line)
      await withAnswers(page, '/dev', { [LOG_LINES]: { file: 'api', bytes: 300, truncated: true, lines } })
      return page.getByRole('table', { name: 'Log' })
    },
    confirmation: async (page) => {
      await button(page, 'Clear Logs').click()
      return page.getByRole('dialog')
    },
    'no lines': async (page) => {
      const lines: object[] = []
      await withAnswers(page, '/dev', { [LOG_LINES]: { file: 'api', bytes: 0, truncated: false, lines } })
      return heading(page, 'No logs found.')
    },
    'no such file': async (page) => {
      await withAnswers(page, '/dev?file=nothing', {})
      return problem(page).first()
    },
  },
}
