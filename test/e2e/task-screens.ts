import type { Page } from '@playwright/test'
import { z } from 'zod'
import { errors } from '../../src/contract/errors.ts'
import { SyncStatus } from '../../src/contract/runs/status.ts'
import { SyncTaskDetail } from '../../src/contract/sync-tasks/calls.ts'
import { expect } from './app-test.ts'
import { send } from './as-ada.ts'
import { forecast } from './forecast-reply.ts'
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

const NOTES =
  '## Mondays\n\nAsk **Bea** or [support](https://example.com/help).\n\n- [x] checked\n\n| Column | Meaning |\n|---|---|\n| `SKU` | key |'

/** The task as it would be with an owner, tags and notes. */
async function owned(page: Page) {
  const { id } = await copied(page)
  const task = SyncTaskDetail.parse(await send(page, 'GET', `/api/sync_tasks/${id}`))
  const me = z.object({ user: z.object({ id: z.number() }) }).parse(await send(page, 'GET', '/auth/check'))
  const tags = ['Shop', 'nightly', 'prices']
  return { ...task, owner: { id: me.user.id, name: 'Ada Fields' }, tags, has_notes: true, notes: NOTES }
}

/** States of the screens of sync tasks, by route path. */
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
    'owner, tags and notes in a row, filtered': async (page) => {
      const { notes: _, ...listed } = await owned(page)
      await withAnswers(page, '/sync_tasks?owner=me&tag=Shop', {
        '**/api/sync_tasks?*': { syncTasks: [listed], total: 1, totalPages: 1, page: 1 },
      })
      return page.getByRole('img', { name: 'Has notes' })
    },
    'dense rows by tag, and what is late': async (page) => {
      const { notes: _, ...listed } = await owned(page)
      const user = z.object({ id: z.number() }).parse(listed.owner)
      await page.evaluate(
        (key) => localStorage.setItem(key, JSON.stringify({ group: 'tag', is_dense: true })),
        `rowferry.list_display.${user.id}`,
      )
      await withAnswers(page, '/sync_tasks', {
        '**/api/sync_tasks?*': { syncTasks: [listed], total: 1, totalPages: 1, page: 1 },
        '**/api/ready_by': [forecast({ late_task_ids: [listed.id] })],
      })
      await expect(page.getByText('Will be late').first()).toBeVisible()
      return heading(page, 'Shop 1')
    },
    'groups and density': async (page) => {
      await button(page, 'Groups and density').click()
      return page.getByRole('menuitemradio', { name: 'Dense' })
    },
    'rows by type again': async (page) => {
      await page.getByRole('menuitemradio', { name: 'Comfortable' }).click()
      await page.getByRole('menuitemradio', { name: 'Type' }).click()
      await page.keyboard.press('Escape')
      return button(page, /^Run Group/)
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
    'no favourites': async (page) => {
      await withAnswers(page, '/sync_tasks?favourites=1', { '**/api/favourites': { task_ids: [] } })
      return page.getByText('The star beside the name of a task')
    },
    'menu of saved views': async (page) => {
      const view = { list: 'sync', is_shared: true, owner: { id: 1, name: 'Ada Fields' }, can_edit: true }
      await withAnswers(page, '/sync_tasks?q=Axe', {
        '**/api/saved_views?*': [
          { ...view, id: 1, name: 'Axe alone', query: 'q=Axe' },
          { ...view, id: 2, name: 'Everything that failed', query: 'status=Failed' },
          { ...view, id: 3, name: 'Warehouse', query: 'q=ware', owner: { id: 999, name: 'Bob' } },
        ],
      })
      await button(page, 'View: Axe alone').click()
      return page.getByRole('menuitem', { name: 'Manage views' })
    },
    'dialog of the saved views': async (page) => {
      await page.getByRole('menuitem', { name: 'Manage views' }).click()
      return page.getByRole('dialog').getByRole('switch').first()
    },
    'dialog to save a view': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'View: Axe alone').click()
      await page.getByRole('menuitem', { name: 'Save these filters' }).click()
      await page.getByLabel('Name').fill('Warehouse')
      return inDialog(page, 'Save')
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
    'bar of the selected tasks': async (page) => {
      await withAnswers(page, '/sync_tasks?q=Axe', {})
      await page.getByRole('checkbox', { name: 'Select Axe', exact: true }).click()
      return page.getByRole('region', { name: 'Selected tasks' })
    },
    'dialog to change the type of the selected tasks': async (page) => {
      await button(page, 'Change type').click()
      return page.getByRole('dialog', { name: 'Change the type of 1 task' })
    },
    'dialog to change the schedule of the selected tasks': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Change schedule').click()
      return page.getByRole('dialog', { name: 'Change the schedule of 1 task' })
    },
    'dialog to change the account of the selected tasks': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Change account').click()
      return page.getByRole('dialog', { name: 'Change the account of 1 task' })
    },
    'message with an undo': async (page) => {
      await page.keyboard.press('Escape')
      await page.route('**/api/tasks/bulk', (route) =>
        route.fulfill({
          json: {
            action: 'deactivate',
            status: 'success',
            message: 'Deactivated 1 task.',
            counts: { done: 1, skipped: 0, refused: 0, unknown: 0 },
            results: [],
            bulk_id: 1,
            undo_until: new Date().toISOString(),
          },
        }),
      )
      await button(page, 'Deactivate').click()
      return button(page, 'Undo')
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
    'edit dialog after a concurrent edit': async (page) => {
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
    'versions that cannot be loaded': async (page) => {
      await withAnswers(page, await pathOf(page), { '**/api/sync_tasks/*/versions': null })
      return page.getByRole('region', { name: 'Versions' }).getByRole('alert')
    },
    'versions, and an older one in the target': async (page) => {
      const one = {
        ...{ changed_at: '2026-11-27T04:00:00.000Z', trigger: 'ada@example.com', rows: 1_200 },
        summary: null,
      }
      const older_version = { run_id: 7, side: 'wanted' }
      await withAnswers(page, await pathOf(page), {
        [`**/api${await pathOf(page)}`]: { ...(await owned(page)), older_version },
        '**/api/sync_tasks/*/versions': {
          versions: [
            { ...one, run_id: 9, cells_changed: 3, restores: older_version, bytes: 0 },
            { ...one, run_id: 7, cells_changed: 24_000, restores: null, bytes: 41_000_000 },
          ],
          bytes: 41_000_000,
          limits: { per_task: 20, days: 90, bytes: 2_000_000_000 },
        },
      })
      return page.getByRole('button', { name: 'Restore the version of run 7' })
    },
    'history of settings': async (page) => {
      const change = { ...{ token: null, bulk: null, imported_from: null }, is_undo: false, reverts: null }
      const fields = [
        { field: 'scheduled_times', label: 'Scheduled times', before: '04:00, 23:00', after: '05:10' },
        { field: 'notes', label: 'Notes', before: 'none', after: 'Ask Bob before\nyou change the target.' },
      ]
      await withAnswers(page, await pathOf(page), {
        '**/api/tasks/*/changes*': {
          changes: [
            { ...change, id: 2, at: '2026-11-27T04:00:00.000Z', actor: 'bob@example.com', bulk: 67, fields },
            {
              ...change,
              ...{ id: 1, at: '2026-11-26T04:00:00.000Z', actor: null, not_revertible: null },
              fields: [{ field: 'sheet_name', label: 'Source sheet name', before: 'Old', after: 'New' }],
            },
          ].map((one) => ({ not_revertible: null, ...one })),
          next: 1,
        },
      })
      return page.getByRole('button', { name: 'Show older changes' })
    },
    'dialog to revert a change': async (page) => {
      await button(page, /^Revert the change of/).click()
      return inDialog(page, 'Revert')
    },
    'owner, tags and notes': async (page) => {
      await withAnswers(page, await pathOf(page), { [`**/api${await pathOf(page)}`]: await owned(page) })
      return page.getByRole('region', { name: 'Notes' }).getByRole('table')
    },
    'editor of notes': async (page) => {
      await button(page, 'Edit notes').click()
      return page.getByRole('textbox', { name: 'Notes' })
    },
    'dialog of a copy': async (page) => {
      await withAnswers(page, await pathOf(page), { [`**/api${await pathOf(page)}`]: await owned(page) })
      await button(page, 'More actions for Axe').click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).click()
      return inDialog(page, 'Add task')
    },
    'a run beyond its limits': async (page) => {
      const { id } = await copied(page)
      const task = z.looseObject({}).parse(await send(page, 'GET', `/api/sync_tasks/${id}`))
      const limits = [
        'Would remove 812 of 1,200 rows; the limit is 600.',
        'Would empty 700 of 1,200 cells in ‘Price’; the limit is 600.',
        'Would leave 12 filled cells beside another row: ‘ordered’ in H14 stands beside 00013; it would stand beside 00012.',
      ]
      await withAnswers(page, `/sync_tasks/${id}`, {
        [`**/api/sync_tasks/${id}`]: {
          ...task,
          beyond_limits: {
            ...{ plan: 'a'.repeat(64), run_id: 7, limits, cells_beside: true },
            expires_at: '2031-11-28T06:00:00.000Z',
            rejected_by: null,
          },
        },
      })
      return button(page, 'Run it once')
    },
    'form with limits': async (page) => {
      await button(page, 'Change the limit').click()
      await page.getByRole('textbox', { name: 'Rows removed (%)' }).fill('10')
      return page.getByText('1 set')
    },
    'unowned cells': async (page) => {
      const { id } = await copied(page)
      const task = z.looseObject({}).parse(await send(page, 'GET', `/api/sync_tasks/${id}`))
      await withAnswers(page, `/sync_tasks/${id}`, {
        [`**/api/sync_tasks/${id}`]: {
          ...task,
          foreign_cells: { columns: ['Price', 'Remark'], cells: 12, hash: 'a'.repeat(64), rejected_by: null },
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
      return page.getByRole('cell', { name: 'SUCCESS', exact: true }).first()
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
