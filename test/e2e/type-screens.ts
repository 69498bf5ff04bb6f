import type { Page } from '@playwright/test'
import { sourceTaskTypes, type TaskType } from '../../src/contract/task-types/calls.ts'
import { expect } from './app-test.ts'
import { send } from './as-ada.ts'
import {
  button,
  copied,
  enter,
  heading,
  inDialog,
  problem,
  type State,
  withAnswers,
} from './screen-states.ts'

const types = '**/api/source_task_types'

/** Source types in every state that the list can show; the first one exists on the server. */
async function sourceTypes(page: Page): Promise<TaskType[]> {
  const list = async () =>
    sourceTaskTypes.list.reply.parse(await send(page, 'GET', sourceTaskTypes.list.path))
  const settings = { name: 'Axe prices', group_name: 'Shop', description: 'Of all shops' }
  if ((await list()).length === 0)
    await send(page, 'POST', sourceTaskTypes.list.path, { ...settings, cron_schedule: '0 2 * * *' })
  const [first] = await list()
  if (!first) throw new Error('No source type was added')
  const beside = { ...first, cron_schedule: null, next_run: null, group_name: '', description: '' }
  return [
    { ...first, ...settings, dependency_chain: ['Orders', 'Customers'] },
    { ...beside, id: 900, name: 'Axe at rest', is_active: false },
    { ...beside, id: 901, name: 'Axe kept', tasks_count: 3, dependent_types_count: 2 },
  ]
}

/** States of the screens of task types, by route path. */
export const typeScreens: Record<string, Record<string, State>> = {
  '/sync_task_types': {
    types: async (page) => {
      await enter(page, '/')
      await copied(page)
      await page.goto('/sync_task_types')
      return page.getByRole('table')
    },
    'delete dialog': async (page) => {
      await button(page, 'Delete Axe').click()
      return page.getByRole('dialog')
    },
    'dialog with errors': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Add Type').click()
      await inDialog(page, 'Save').click()
      return page.getByText('Name is required')
    },
    'history of a type': async (page) => {
      const change = {
        ...{ id: 1, at: '2026-11-20T09:00:00.000Z', actor: 'ada@example.com', token: null, bulk: null },
        ...{ imported_from: null, is_undo: false, reverts: null, not_revertible: null },
        fields: [{ field: 'max_retries', label: 'Retries', before: '3', after: '7' }],
      }
      await withAnswers(page, '/sync_task_types', {
        '**/api/task_types/*/changes*': { changes: [change], next: null },
      })
      await button(page, 'Edit Axe').click()
      await page.getByRole('dialog').getByText('History of settings').click()
      return page.getByRole('dialog').getByRole('row', { name: 'Retries' })
    },
    'no types': async (page) => {
      await withAnswers(page, '/sync_task_types', { '**/api/sync_task_types': [] })
      await expect(heading(page, 'No sync task types defined yet')).toBeVisible()
      return page.getByText('Types can be imported from CSV or created manually.')
    },
    'a failed load': async (page) => {
      await withAnswers(page, '/sync_task_types', { '**/api/sync_task_types': null })
      await expect(problem(page).first()).toBeVisible()
      return page.locator('.toast').getByText('Failed to fetch sync task types')
    },
  },
  '/source-task-types': {
    types: async (page) => {
      await enter(page, '/')
      await withAnswers(page, '/source-task-types', { [types]: await sourceTypes(page) })
      return page.getByRole('table')
    },
    'menu of a type': async (page) => {
      await button(page, 'More actions for Axe prices').click()
      return page.getByRole('menuitem', { name: 'Duplicate' })
    },
    'reorder mode': async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('switch').click()
      return page.getByText('Showing full list.')
    },
    'a type that cannot be deleted': async (page) => {
      await button(page, 'Delete Axe kept').click()
      return page.getByText('This type has 3 tasks associated with it.')
    },
    'dialog with errors': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Add Type').click()
      await inDialog(page, 'Save').click()
      return page.getByText('Name is required')
    },
    'nothing that matches': async (page) => {
      await page.goto('/source-task-types?q=nothing&status=scheduled')
      return heading(page, 'No task type matches these filters')
    },
    'no types': async (page) => {
      await withAnswers(page, '/source-task-types', { [types]: [] })
      await expect(heading(page, 'No source task types')).toBeVisible()
      return page.getByRole('link', { name: 'New Task Type' })
    },
    'a failed load': async (page) => {
      await withAnswers(page, '/source-task-types', { [types]: null })
      return problem(page).first()
    },
  },
  '/source-task-types/new': {
    'with problems': async (page) => {
      await enter(page, '/source-task-types/new')
      await page.getByRole('textbox', { name: 'Max Retries' }).fill('11')
      await button(page, 'Add dependency').click()
      return page.getByText('Please select a task type')
    },
  },
  '/source-task-types/:id/edit': {
    'a type with a schedule and dependencies': async (page) => {
      await enter(page, '/')
      const [type] = await sourceTypes(page)
      const dependencies = (['success', 'completion'] as const).map((condition_type, n) => ({
        dependency_task_type_id: 900 + n,
        condition_type,
        name: ['Orders', 'Customers'][n],
        task_category: 'source',
      }))
      await withAnswers(page, `/source-task-types/${type?.id}/edit`, {
        [`${types}/*`]: { ...type, dependencies },
        '**/api/unified_task_types': await sourceTypes(page),
      })
      return page.getByRole('list', { name: 'Dependencies' })
    },
    'delete dialog': async (page) => {
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      return page.getByRole('dialog')
    },
  },
  '/unified-task-types': {
    types: async (page) => {
      await enter(page, '/')
      const [first, second, third] = await sourceTypes(page)
      await withAnswers(page, '/unified-task-types', {
        '**/api/unified_task_types*': [
          first,
          { ...second, task_category: 'compiler', compiler_config_id: 1 },
          { ...third, task_category: 'sync' },
        ],
      })
      return page.getByRole('table')
    },
    'delete dialog': async (page) => {
      await button(page, 'Delete Axe kept').click()
      return page.getByRole('dialog')
    },
    'dialog with errors': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Create Task Type').click()
      await page.getByRole('dialog').getByRole('combobox', { name: 'Category' }).click()
      await page.getByRole('listbox').getByRole('option', { name: 'Compiler' }).click()
      await inDialog(page, 'Save').click()
      return page.getByText('Compiler Config ID is required for compiler task types')
    },
    'no types': async (page) => {
      await withAnswers(page, '/unified-task-types', { '**/api/unified_task_types*': [] })
      return heading(page, 'No task types found')
    },
    'a failed load': async (page) => {
      await withAnswers(page, '/unified-task-types', { '**/api/unified_task_types*': null })
      await expect(problem(page).first()).toBeVisible()
      return page.getByText('Failed to load task types. Please try again.').first()
    },
  },
}
