import type { Page } from '@playwright/test'
import type { Found } from '../../src/contract/search/calls.ts'
import { button, enter, type State, withAnswers } from './screen-states.ts'

const found: Found = {
  tasks: [
    { id: 1, category: 'sync', config_id: null, name: 'Prices', type: 'Nightly', place: 'Shop / Prices' },
    { id: 2, category: 'source', config_id: null, name: 'Price list of the supplier', type: null, place: '' },
    { id: 3, category: 'compiler', config_id: 1, name: 'Prices of all shops', type: null, place: '' },
  ],
  types: [{ id: 4, category: 'sync', name: 'Price lists', tasks: 12 }],
  task_counts: { sync: 67, source: 1, compiler: 1 },
}

async function search(page: Page, text: string, reply: Found | null): Promise<void> {
  await page.route('**/api/search?*', (route) =>
    reply ? route.fulfill({ json: reply }) : route.fulfill({ status: 500, json: {} }),
  )
  await enter(page, '/')
  await button(page, 'Search tasks, screens and actions').click()
  await page.getByRole('combobox').fill(text)
}

/** The search over everything, which every screen can open, and the list of shortcuts. */
export const paletteStates: Record<string, State> = {
  'search, opened': async (page) => {
    await search(page, '', found)
    return page.getByRole('option', { name: 'Home' })
  },
  'search, with results': async (page) => {
    await search(page, 'pric', found)
    return page.getByRole('option', { name: 'Run Prices', exact: false }).first()
  },
  'search, without a result': async (page) => {
    await search(page, 'xyzzy', { tasks: [], types: [], task_counts: { sync: 0, source: 0, compiler: 0 } })
    return page.getByText('Nothing matches “xyzzy”.')
  },
  'search, failed': async (page) => {
    await search(page, 'pric', null)
    return page.getByRole('alert')
  },
  'keyboard shortcuts': async (page) => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await enter(page, '/')
    await button(page, 'Search tasks, screens and actions').waitFor()
    await page.keyboard.press('?')
    return page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  },
  notifications: async (page) => {
    const item = {
      title: 'Prices',
      reason: 'You have no edit access to “Warehouse”.',
      over_at: null,
      is_read: false,
    }
    const task = { id: 1, category: 'sync', config_id: null }
    const at = '2026-11-27T04:00:00.000Z'
    await withAnswers(page, '/', {
      '**/api/notifications/count': { unread: 4 },
      '**/api/notifications': [
        { ...item, key: 'alarm 1', kind: 'failed', at, task },
        { ...item, key: 'alarm 2', kind: 'failed', title: 'Stock', at, task: { ...task, id: 2 } },
        { ...item, key: 'alarm 3', kind: 'late', reason: 'Waiting 4 minutes for the quota.', at, task: null },
        { ...item, key: 'mention 4', kind: 'mention', reason: 'bob@example.com mentioned you.', at, task },
        { ...item, key: 'alarm 5', kind: 'missed', is_read: true, over_at: at, at, task },
      ],
    })
    await button(page, 'Notifications, 4 unread').click()
    return page.getByRole('dialog').getByRole('button', { name: 'Mark all as read' })
  },
  'kinds of notifications by mail': async (page) => {
    await withAnswers(page, '/', {
      '**/api/notifications/count': { unread: 0 },
      '**/api/notifications': [],
      '**/api/notifications/mail': { kinds: ['failed'], can_mail: true },
    })
    await button(page, 'Notifications').click()
    await page.getByRole('dialog').locator('summary').click()
    return page.getByRole('checkbox').first()
  },
  'no mail server': async (page) => {
    await withAnswers(page, '/', {
      '**/api/notifications/count': { unread: 0 },
      '**/api/notifications': [],
      '**/api/notifications/mail': { kinds: [], can_mail: false },
    })
    await button(page, 'Notifications').click()
    await page.getByRole('dialog').locator('summary').click()
    return page.getByRole('checkbox').first()
  },
  'no notifications': async (page) => {
    await withAnswers(page, '/', { '**/api/notifications/count': { unread: 0 }, '**/api/notifications': [] })
    await button(page, 'Notifications').click()
    return page.getByText('Nothing concerns you at the moment')
  },
}
