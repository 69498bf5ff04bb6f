import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { SyncStatus } from '../../src/contract/runs/status.ts'
import type { SyncTask } from '../../src/contract/sync-tasks/calls.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const List = z.looseObject({ syncTasks: z.array(z.looseObject({ id: z.number() })) })

/** Shows an existing task with these fields replaced: a real engine never has all statuses at once. */
async function show(page: Page, name: string, tasks: Partial<SyncTask>[]): Promise<void> {
  const { id } = await addTask(page, await addType(page, name), name, [['SKU']])
  await page.route('**/api/sync_tasks?*', async (route) => {
    const list = List.parse(await (await route.fetch()).json())
    const real = list.syncTasks.find((task) => task.id === id)
    const syncTasks = tasks.map((fields, index) => ({ ...real, id: 1_000_000 + index, ...fields }))
    await route.fulfill({ json: { ...list, syncTasks, totalPages: 1 } })
  })
  await page.goto('/sync_tasks')
}

const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

const threeOfFour = {
  can_push_to_front: true,
  can_move_up: true,
  can_move_down: true,
  can_push_to_back: true,
  total_tasks_of_type: 4,
  current_position: 3,
}

/** Name of the colour of a badge's dot. */
async function colourOf(badge: Locator): Promise<string> {
  const [red = 0, green = 0, blue = 0] = await badge.evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (!context) return []
    context.fillStyle = getComputedStyle(element, '::before').backgroundColor
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data]
  })
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 30) return 'grey'
  if (blue > red && blue > green) return 'blue'
  if (green > red) return 'green'
  return green > red / 2 ? 'yellow' : 'red'
}

test.beforeEach(async ({ page }) => signIn(page))

test('success is green, failed and error red, warning and stopped yellow, pending grey, running blue and “In Progress”', async ({
  page,
}, { testId }) => {
  const statuses = SyncStatus.options
  const times = { Success: 3725, Warning: 59.6, Failed: 42 }
  await show(
    page,
    `Statuses ${testId}`,
    statuses.map((task_status) => ({
      name: `It is ${task_status}`,
      task_status,
      total_elapsed_seconds: new Map(Object.entries(times)).get(task_status) ?? null,
    })),
  )
  const words = new Map<SyncStatus, string>()
  const colours = new Map<SyncStatus, string>()
  for (const status of statuses) {
    const badge = row(page, `It is ${status}`).locator('[data-tone]').first()
    words.set(status, (await badge.textContent()) ?? '')
    colours.set(status, await colourOf(badge))
  }
  expect(Object.fromEntries(words)).toEqual({
    ...Object.fromEntries(statuses.map((status) => [status, status])),
    Running: 'In Progress',
  })
  expect(Object.fromEntries(colours)).toEqual({
    Pending: 'grey',
    Queued: 'grey',
    Running: 'blue',
    Stopping: 'yellow',
    Stopped: 'yellow',
    Success: 'green',
    Warning: 'yellow',
    Failed: 'red',
    Error: 'red',
  })
  await test.step('the group shows the first 3 statuses, error, failed and running before others, and “...” for more than 5', async () => {
    await expect(page.getByText('Error1Failed1In Progress1...', { exact: true })).toBeVisible()
  })
  await test.step('elapsed time is shown as “Xm Ys” or “Ys”', async () => {
    await expect(row(page, 'It is Success').getByText('62m 5s', { exact: true })).toBeVisible()
    await expect(row(page, 'It is Warning').getByText('1m 0s', { exact: true })).toBeVisible()
    await expect(row(page, 'It is Failed').getByText('42s', { exact: true })).toBeVisible()
  })
})

test('a task without a name is shown as its target sheet, else its source sheet, else “Sync Task {id}”', async ({
  page,
}, { testId }) => {
  await show(page, `Nameless ${testId}`, [
    { name: '', target_sheet_name: 'Target sheet', source_sheet_name: 'Source sheet' },
    { name: '', target_sheet_name: '', source_sheet_name: 'Source sheet' },
    { name: '', target_sheet_name: '', source_sheet_name: '' },
  ])
  await expect(page.getByRole('article').locator('h3')).toHaveText([
    'Target sheet',
    'Source sheet',
    'Sync Task 1000002',
  ])
})

test('on a phone, the head of a group is equally high whatever the statuses of its tasks', async ({ page }, {
  testId,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const first = page.getByRole('article').first()
  const heights: (number | undefined)[] = []
  const few: SyncTask['task_status'][] = ['Success']
  const many: SyncTask['task_status'][] = ['Running', 'Success', 'Pending', 'Queued', 'Stopping', 'Stopped']
  for (const statuses of [few, many]) {
    const tasks = statuses.flatMap((task_status) =>
      Array.from({ length: 12 }, (_, index) => ({ name: `${task_status} ${index}`, task_status })),
    )
    await show(page, `Heads ${testId} ${statuses.length}`, tasks)
    await expect(page.getByRole('button', { name: /^Run Group/ })).toBeVisible()
    const head = (await page.getByRole('heading', { level: 2 }).boundingBox())?.y ?? 0
    heights.push(((await first.boundingBox())?.y ?? 0) - head)
  }
  expect(heights[1]).toBe(heights[0])
})

test('each task offers its actions; while it runs, Run, Edit, Delete and the reposition buttons are disabled', async ({
  page,
}, { testId }) => {
  const fields = { position_actions: threeOfFour }
  await show(page, `Offers ${testId}`, [
    { ...fields, name: 'At rest', task_status: 'Success' },
    { ...fields, name: 'Failed before', task_status: 'Failed' },
    { ...fields, name: 'Waiting', task_status: 'Queued' },
    { ...fields, name: 'At work', task_status: 'Running', running_status: true },
    { ...fields, name: 'Said to run', task_status: 'Success', running_status: true },
    {
      ...fields,
      name: 'At the end',
      position_actions: { ...threeOfFour, can_move_down: false, can_push_to_back: false },
    },
    { ...fields, name: 'The only one', position_actions: { ...threeOfFour, total_tasks_of_type: 1 } },
  ])
  const disturbing = ['Run', 'Edit', 'Delete']
  const moves = ['Move to front', 'Move up', 'Move down', 'Move to back']
  const others = [
    'Check readiness',
    'Copied data',
    'Copy link',
    'Details',
    'Duplicate',
    'Export Data',
    'Preview',
  ]
  /** Items of a task's menu and whether each is enabled. */
  const offered = async (name: string) => {
    await row(page, name)
      .getByRole('button', { name: `More actions for ${name}` })
      .click()
    const items = page.getByRole('menuitem')
    await expect(items.first()).toBeVisible()
    const all = await items.evaluateAll((elements) =>
      elements.map((item) => ({ text: item.textContent ?? '', off: item.hasAttribute('data-disabled') })),
    )
    await page.keyboard.press('Escape')
    await expect(items).toHaveCount(0)
    const texts = (off: boolean) => all.filter((item) => item.off === off).map(({ text }) => text)
    return { on: texts(false).sort(), off: texts(true).sort() }
  }
  const sorted = (...names: string[]) => names.sort()
  const busy = { on: sorted(...others, 'Stop Task'), off: sorted(...disturbing, ...moves) }

  expect(await offered('At rest')).toEqual({ on: sorted(...disturbing, ...others, ...moves), off: [] })
  await test.step('Stop Task is offered when the status is Queued, Running or Failed', async () => {
    expect(await offered('Failed before')).toEqual({
      on: sorted(...disturbing, ...others, ...moves, 'Acknowledge', 'I am on it', 'Snooze…', 'Stop Task'),
      off: [],
    })
    expect(await offered('Waiting')).toEqual(busy)
    expect(await offered('At work')).toEqual(busy)
  })
  await test.step('a task counts as running when running_status is true', async () => {
    expect(await offered('Said to run')).toEqual({ on: sorted(...others), off: busy.off })
  })
  await test.step('each move is enabled only if its can_* flag is true', async () => {
    expect((await offered('At the end')).off).toEqual(['Move down', 'Move to back'])
  })
  await test.step('the position control appears only when the type has more than one task', async () => {
    expect(await offered('The only one')).toEqual({ on: sorted(...disturbing, ...others), off: [] })
  })
  await test.step('run or stop, logs, active toggle and readiness check are in the row itself', async () => {
    const rest = row(page, 'At rest')
    await expect(rest.getByRole('button', { name: 'Run At rest' })).toBeEnabled()
    await expect(rest.getByRole('link', { name: 'Logs of At rest' })).toBeVisible()
    await expect(rest.getByRole('switch', { name: 'At rest is active' })).toBeChecked()
    await expect(rest.getByRole('button', { name: /^Check.*source of At rest$/ })).toBeVisible()
    const work = row(page, 'At work')
    await expect(work.getByRole('button', { name: 'Stop At work' })).toBeVisible()
    await expect(work.getByRole('button', { name: 'Run At work' })).toHaveCount(0)
  })
})
