import type { Page } from '@playwright/test'
import { z } from 'zod'
import { errors } from '../../src/contract/errors.ts'
import { SyncStatus } from '../../src/contract/runs/status.ts'
import { send } from './as-ada.ts'
import {
  button,
  copied,
  enter,
  heading,
  inDialog,
  problem,
  type State,
  signedOut,
  withAnswers,
} from './screen-states.ts'

const pathOf = async (page: Page, rest = '') => `/sync_tasks/${(await copied(page)).id}${rest}`

const progress = { phase: 'Reading', rows_done: 40, rows_total: 100, rows_per_second: 20, seconds_left: 3 }

/** The screens of sync tasks by their path in the router, with the states that they can be seen in. */
export const taskScreens: Record<string, Record<string, State>> = {
  '/sync_tasks': {
    'no tasks': async (page) => {
      await enter(page, '/')
      await copied(page)
      await withAnswers(page, '/sync_tasks', {
        '**/api/sync_tasks?*': { syncTasks: [], total: 0, totalPages: 1, page: 1 },
      })
      return heading(page, 'No sync tasks yet')
    },
    'tasks of every status': async (page) => {
      const real = await copied(page)
      const list = SyncStatus.options.map((task_status, index) => ({
        ...real,
        id: 1_000_000 + index,
        name: `It is ${task_status}`,
        task_status,
        running_status: task_status === 'Running',
        is_active: task_status !== 'Pending',
        progress: task_status === 'Running' ? progress : null,
      }))
      await withAnswers(page, '/sync_tasks', {
        '**/api/sync_tasks?*': { syncTasks: list, total: list.length, totalPages: 1, page: 1 },
      })
      return page.getByRole('article', { name: 'It is Running' })
    },
    'failed load': async (page) => {
      await withAnswers(page, '/sync_tasks', { '**/api/sync_tasks?*': null })
      return problem(page)
    },
    'while it loads': async (page) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // never answered
      await page.route('**/api/sync_tasks?*', () => undefined)
      await page.goto('/sync_tasks')
      return page.getByRole('status', { name: 'Loading sync tasks' })
    },
    'filters that nothing matches': async (page) => {
      await withAnswers(page, '/sync_tasks?q=nothing-like-it', {})
      return heading(page, 'No task matches these filters')
    },
    'menu of a task': async (page) => {
      await withAnswers(page, '/sync_tasks?q=Axe', {})
      await button(page, 'More actions for Axe').click()
      return page.getByRole('menuitem', { name: 'Delete' })
    },
    'delete dialog': async (page) => {
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      return page.getByRole('dialog')
    },
    'menu of all tasks': async (page) => {
      await withAnswers(page, '/sync_tasks', {})
      await button(page, 'Actions for all tasks').click()
      return page.getByRole('menuitem', { name: 'Delete All' })
    },
    'delete all dialog': async (page) => {
      await page.getByRole('menuitem', { name: 'Delete All' }).click()
      return page.getByRole('dialog')
    },
    'menu of the tasks shown': async (page) => {
      await withAnswers(page, '/sync_tasks?q=Axe', {})
      await button(page, 'Actions for the tasks shown').click()
      return page.getByRole('menuitem', { name: /^Delete th/ })
    },
    'dialog before the tasks shown are deleted': async (page) => {
      await page.getByRole('menuitem', { name: /^Delete th/ }).click()
      return page.getByRole('dialog')
    },
    'edit dialog when somebody else was faster': async (page) => {
      await page.keyboard.press('Escape')
      const code = 'stale_update'
      const { status, message } = errors[code]
      await page.route('**/api/sync_tasks/*', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status, json: { error: message, message, code, request_id: 'x' } })
          : route.continue(),
      )
      await button(page, 'More actions for Axe').click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await inDialog(page, 'Save').click()
      return inDialog(page, 'Load again')
    },
    'add dialog with errors': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Add task').click()
      await inDialog(page, 'Add task').click()
      return page.getByRole('dialog').getByRole('alert')
    },
    'spreadsheet picker': async (page) => {
      await page.getByRole('combobox', { name: 'Source spreadsheet' }).fill('Catalogue')
      return page.getByRole('option', { name: 'Catalogue master' })
    },
    'internal source with its configurations': async (page) => {
      await page.getByRole('dialog').getByText('Internal DB').click()
      await page.getByRole('combobox', { name: 'Other Google accounts' }).click()
      return page.getByRole('option', { name: /ada@example\.com/ })
    },
    'message of what was done': async (page) => {
      await withAnswers(page, '/sync_tasks?q=Axe', {})
      await button(page, 'More actions for Axe').click()
      await page.getByRole('menuitem', { name: 'Check readiness' }).click()
      return page.getByRole('alert').filter({ hasText: 'ready' })
    },
  },
  '/sync_tasks/:id': {
    'runs that cannot be loaded': async (page) => {
      await enter(page, '/')
      await withAnswers(page, await pathOf(page), { '**/api/sync_tasks/*/runs*': null })
      return page.getByRole('region', { name: 'Runs' }).getByRole('alert')
    },
    'no runs': async (page) => {
      await withAnswers(page, await pathOf(page), { '**/api/sync_tasks/*/runs*': { runs: [], next: null } })
      return heading(page, 'No runs yet')
    },
    'receipt, log and runs': async (page) => {
      await withAnswers(page, await pathOf(page), {})
      return page.getByRole('table', { name: 'Runs' })
    },
    'cells of somebody else’s': async (page) => {
      const { id } = await copied(page)
      const task = z.looseObject({}).parse(await send(page, 'GET', `/api/sync_tasks/${id}`))
      await withAnswers(page, `/sync_tasks/${id}`, {
        [`**/api/sync_tasks/${id}`]: {
          ...task,
          foreign_cells: { columns: ['Price', 'Remark'], cells: 12, hash: 'a'.repeat(64) },
        },
      })
      return button(page, 'Replace them')
    },
    'dialog that replaces them': async (page) => {
      await button(page, 'Replace them').click()
      return page.getByRole('dialog')
    },
    'no such task': async (page) => {
      await page.goto('/sync_tasks/999999')
      return page.getByRole('heading', { level: 2 }).or(problem(page))
    },
  },
  '/sync_tasks/:id/logs': {
    lines: async (page) => {
      await enter(page, '/')
      await page.goto(await pathOf(page, '/logs'))
      return page.getByRole('cell', { name: 'SUCCESS', exact: true })
    },
    confirmation: async (page) => {
      await button(page, 'Clear Logs').click()
      return page.getByRole('dialog')
    },
    'no lines': async (page) => {
      await withAnswers(page, await pathOf(page, '/logs'), { '**/api/sync_tasks/*/logs*': [] })
      return heading(page, 'No logs found.')
    },
  },
  '/sync_tasks/:id/data_copy': {
    'signed out': signedOut('/sync_tasks/1/data_copy'),
    'sorted rows': async (page) => {
      await enter(page, '/')
      await page.goto(await pathOf(page, '/data_copy?sort=Price'))
      return page.getByRole('cell', { name: '007' })
    },
    'choice of columns': async (page) => {
      await button(page, 'Select Columns').click()
      return page.getByRole('checkbox', { name: 'Price' })
    },
    'failed load': async (page) => {
      await withAnswers(page, await pathOf(page, '/data_copy'), { '**/data_copy/columns': null })
      return problem(page)
    },
  },
}
