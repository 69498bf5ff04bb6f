import type { Page } from '@playwright/test'
import type { ColumnChange } from '../../src/contract/remembered-columns/calls.ts'
import { SourceStatus } from '../../src/contract/runs/status.ts'
import { type SourceTask, sourceTaskState, sourceTasks } from '../../src/contract/source-tasks/calls.ts'
import { exampleSourceTask, exampleState } from '../fixtures/example-task.ts'
import { send } from './as-ada.ts'
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

const LIST = '**/api/source_tasks'
const { list: call } = sourceTasks

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Tasks of every status, the last two without a type. Rows of the first one await approval. */
const everyStatus = (): SourceTask[] =>
  SourceStatus.options.map((running_status, index) =>
    exampleSourceTask({
      ...sourceTaskState(exampleState({ id: 1_000_000 + index })),
      name: `It is ${running_status}`,
      running_status,
      is_running: running_status === 'running',
      source_task_type_id: index < 5 ? 1 : null,
      source_task_type_name: index < 5 ? 'Suppliers' : null,
      source_type: index % 2 === 0 ? 'sheet' : 'api',
      source_identifier: index % 2 === 0 ? '' : 'prices-of-suppliers',
      is_active: running_status !== 'stopped',
      is_master_catalog: index === 1,
      pulled_at: running_status === 'new' ? null : minutesAgo(130 * 3 ** index),
      row_count: running_status === 'new' ? null : 12_345,
      last_error: running_status === 'failed' ? 'The origin does not answer' : null,
      progress:
        running_status === 'running'
          ? { phase: 'Reading', rows_done: 40, rows_total: 100, rows_per_second: 20, seconds_left: 3 }
          : null,
      waiting:
        running_status === 'completed'
          ? {
              snapshot_id: 7,
              row_count: 12,
              fetched_at: minutesAgo(5),
              reasons: ['12 rows are fewer than half of the 12,345 before'],
              column_changes: [
                change('renamed', ['Colour', 3, ['Black', 'Sea green']], ['Farbe', 4, ['Black', 'White']]),
                change('missing', ['Weight', 5, ['1.5 kg']], null),
                {
                  ...change('shifted', ['Size', 6, ['S', 'M']], ['Size', 6, ['9.90', '12']]),
                  looks_like: 'Price',
                },
                change('new', null, ['Margin', 9, []]),
              ],
            }
          : null,
    }),
  )

type Seen = [name: string, position: number, values: string[]] | null

function change(kind: ColumnChange['kind'], before: Seen, now: Seen): ColumnChange {
  const seen = (column: Seen) => column && { name: column[0], position: column[1], values: column[2] }
  return { kind, before: seen(before), now: seen(now), looks_like: null }
}

const showEvery = (page: Page) => withAnswers(page, '/source_tasks', { [LIST]: everyStatus() })

// axe reports a button that the header partly covers as too small
const toTop = (page: Page) => page.evaluate(() => window.scrollTo(0, 0))

/** Returns a task that has never run; all tests share it. */
async function added(page: Page): Promise<number> {
  const known = call.reply.parse(await send(page, 'GET', '/api/source_tasks'))[0]
  if (known) return known.id
  const sheet = { spreadsheet_id: 'axe-source-spreadsheet', sheet_name: 'Products' }
  const body = { name: 'Axe source', source_type: 'sheet', ...sheet }
  return sourceTasks.create.reply.parse(await send(page, 'POST', '/api/source_tasks', body)).id
}

const pathOf = async (page: Page, rest = '') => `/source_tasks/${await added(page)}${rest}`

/** States of the screens of source tasks, by route path. */
export const sourceScreens: Record<string, Record<string, State>> = {
  '/source_tasks': {
    'no tasks': async (page) => {
      await enter(page, '/')
      await withAnswers(page, '/source_tasks', { [LIST]: [] })
      return heading(page, 'No source tasks yet')
    },
    'tasks of every status': async (page) => {
      await showEvery(page)
      return page.getByRole('article', { name: 'It is running' })
    },
    'menu of a task': async (page) => {
      await button(page, 'More actions for It is completed').click()
      return page.getByRole('menuitem', { name: 'Export Data' })
    },
    'rows that wait': async (page) => {
      await page.keyboard.press('Escape')
      await toTop(page)
      await button(page, 'Needs your approval').click()
      return inDialog(page, 'Accept')
    },
    'rows of a task': async (page) => {
      await page.keyboard.press('Escape')
      await page.route('**/api/source_task_data?*', (route) =>
        route.fulfill({
          json: {
            data: [{ SKU: '007', Price: 1.5 }],
            columns: ['SKU', 'Price'],
            number_formats: {},
            cell_formats: {},
            total: 12_345,
            page: 1,
            page_size: 100,
          },
        }),
      )
      await toTop(page)
      await button(page, /View Data of It is completed/).click()
      return page.getByRole('cell', { name: '007' })
    },
    'reorder mode': async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('switch', { name: 'Reorder mode' }).click()
      return page.getByRole('table', { name: 'Order of Suppliers' })
    },
    'failed load': async (page) => {
      await withAnswers(page, '/source_tasks', { [LIST]: null })
      return problem(page)
    },
    'add dialog with errors': async (page) => {
      await showEvery(page)
      await button(page, 'Add Source Task').click()
      await inDialog(page, 'Add Source Task').click()
      return page.getByRole('dialog').getByText('Source Type is required')
    },
    'the fields of a sheet': async (page) => {
      await page.getByRole('dialog').getByRole('combobox', { name: 'Source Type' }).click()
      await page
        .getByRole('listbox', { name: 'Source Type' })
        .getByRole('option', { name: 'Google Sheet' })
        .click()
      return page.getByRole('combobox', { name: 'Source spreadsheet' })
    },
    'import dialog': async (page) => {
      await showEvery(page)
      await button(page, 'Import CSV').click()
      await inDialog(page, 'Import').click()
      return page.getByRole('dialog').getByText('Select a CSV file')
    },
  },
  '/source_tasks/:id': {
    'never run': async (page) => {
      await enter(page, '/')
      await page.goto(await pathOf(page))
      return heading(page, 'No runs yet')
    },
    'rows that wait, and a receipt': async (page) => {
      const id = await added(page)
      const [, , , completed] = everyStatus()
      const receipt = {
        rows: 12,
        columns: 3,
        requests: 2,
        is_changed: true,
        hash: 'a'.repeat(64),
        duration_ms: 3200,
        account: 'ada@example.com',
      }
      await withAnswers(page, `/source_tasks/${id}`, {
        [`**/api/source_tasks/${id}`]: { ...completed, id, notes: '', logs: [], receipt },
      })
      return heading(page, 'Needs your approval')
    },
  },
  '/source_tasks/:id/logs': {
    'no lines': async (page) => {
      await enter(page, '/')
      await withAnswers(page, await pathOf(page, '/logs'), { '**/api/source_tasks/*/logs*': [] })
      return heading(page, 'No logs found.')
    },
    lines: async (page) => {
      const line = (level: string, id: number) => ({
        id,
        level,
        message: `A line of level ${level}`,
        timestamp: minutesAgo(id),
        formatted_timestamp: 'Nov 22, 2026, 04:00:07 EST',
        run_id: null,
      })
      await withAnswers(page, await pathOf(page, '/logs'), {
        '**/api/source_tasks/*/logs*': ['INFO', 'SUCCESS', 'WARNING', 'ERROR'].map(line),
        '**/api/runs/log_counts?*': { INFO: 1, SUCCESS: 1, WARNING: 1, ERROR: 1 },
      })
      return page.getByRole('cell', { name: 'SUCCESS', exact: true }).first()
    },
  },
  '/source_tasks/:id/data_copy': {
    'signed out': signedOut('/source_tasks/1/data_copy'),
    'no rows': async (page) => {
      await enter(page, '/')
      await page.goto(await pathOf(page, '/data_copy'))
      return page.getByRole('heading', { level: 2 })
    },
  },
}
