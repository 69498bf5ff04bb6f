import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { expect, test } from './app-test.ts'
import { send } from './as-ada.ts'
import { enter } from './screen-states.ts'

// A desktop of 1440 x 900 at 200 %.
const ZOOMED = { width: 720, height: 450 }
test.use({ viewport: ZOOMED, reducedMotion: 'reduce' })

const Id = z.object({ id: z.number() })
const Ids = z.tuple([Id], Id)

test('at 200 % zoom, no screen scrolls sideways and nothing covers a focused control', async ({ page }) => {
  test.slow()
  await enter(page, '/')
  await page.getByRole('button', { name: 'Set up and run the demo' }).click()
  const pipeline = page.getByRole('list', { name: 'Pipeline' })
  const stage = pipeline.getByRole('listitem').filter({ hasText: 'Sync Tasks' })
  await expect(stage).toContainText('All well', { timeout: 90_000 })
  const first = async (path: string) => Ids.parse(await send(page, 'GET', path))[0].id
  const list = z.object({ syncTasks: Ids }).parse(await send(page, 'GET', '/api/sync_tasks'))
  const sync = list.syncTasks[0].id
  const { runs } = z.object({ runs: Ids }).parse(await send(page, 'GET', `/api/runs?task_id=${sync}`))
  const source = await first('/api/source_tasks')
  const paths = {
    '/': '/',
    '/sync_tasks': '/sync_tasks',
    '/sync_tasks/:id': `/sync_tasks/${sync}`,
    '/sync_tasks/:id/logs': `/sync_tasks/${sync}/logs`,
    '/sync_tasks/:id/plans/:run': `/sync_tasks/${sync}/plans/${runs[0].id}`,
    '/plans': `/plans?runs=${runs[0].id}`,
    '/lineage': '/lineage',
    '/sync_tasks/:id/data_copy': `/sync_tasks/${sync}/data_copy`,
    '/source_tasks': '/source_tasks',
    '/source_tasks/:id': `/source_tasks/${source}`,
    '/source_tasks/:id/logs': `/source_tasks/${source}/logs`,
    '/source_tasks/:id/data_copy': `/source_tasks/${source}/data_copy`,
    '/runs': '/runs',
    '/sync_task_types': '/sync_task_types',
    '/source-task-types': '/source-task-types',
    '/source-task-types/new': '/source-task-types/new',
    '/source-task-types/:id/edit': `/source-task-types/${await first('/api/source_task_types')}/edit`,
    '/unified-task-types': '/unified-task-types',
    '/settings': '/settings',
    '/settings/connections/new': '/settings/connections/new',
    '/settings/connections/:id': `/settings/connections/${await first('/api/connections')}`,
    '/source-schedule': '/source-schedule',
    '/users': '/users',
    '/tokens': '/tokens',
    '/compiler': '/compiler?tab=data',
    '/compiler/:id': `/compiler/${await first('/api/compiler/configs')}`,
    '/compiler/:id/decisions': `/compiler/${await first('/api/compiler/configs')}/decisions`,
    '/compiler/:id/overrides': `/compiler/${await first('/api/compiler/configs')}/overrides`,
    '/compiler/:id/changes': `/compiler/${await first('/api/compiler/configs')}/changes`,
    '/schedule': '/schedule',
    '/import_export': '/import_export',
    '/dev': '/dev',
    '/help/:name': '/help/user-guide',
    '*': '/no-such-page',
  }
  const router = await readFile(new URL('../../src/web/router.tsx', import.meta.url), 'utf8')
  const known = [...router.matchAll(/^\s+(?:\{ )?path: '([^']+)'/gm)].map(([, path]) => path)
  expect(Object.keys(paths).sort()).toEqual(known.sort())

  for (const path of [
    ...Object.values(paths),
    '/runs?view=timeline',
    '/schedule?view=week',
    '/schedule?tab=table',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(width, `${path}: width`).toBeLessThanOrEqual(ZOOMED.width)
    expect.soft(await coveredControls(page), `${path}: covered controls`).toEqual([])
  }
  await page.goto('/sync_tasks')
  await page.getByRole('checkbox', { name: 'Select the task', exact: true }).check()
  await expect(page.getByText('1 task selected')).toBeVisible()
  expect.soft(await coveredControls(page), 'with the bar of the selected tasks').toEqual([])
})

/** Controls that something else covers while they have the focus, whether the focus came from above or from below. */
const coveredControls = (page: Page) =>
  page.evaluate(() => {
    const all = [
      ...document.querySelectorAll<HTMLElement>(
        'main :is(a[href], button, input, select, textarea, [tabindex="0"])',
      ),
    ]
    const found = new Set<string>()
    for (const control of [...all, ...all.toReversed()]) {
      if (!control.checkVisibility({ visibilityProperty: true })) continue
      // The pointer reaches what is below it: its keys move a mark over a drawing.
      if (getComputedStyle(control).pointerEvents === 'none') continue
      control.focus()
      if (document.activeElement !== control) continue
      const box = control.getBoundingClientRect()
      // A visually hidden control is operated by its label.
      if (box.width < 3 || box.height < 3) continue
      const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2
      const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2
      const top = document.elementFromPoint(x, y)
      const label = control instanceof HTMLInputElement ? control.labels?.[0] : null
      if (top && (control.contains(top) || top.contains(control) || label?.contains(top))) continue
      const name = control.ariaLabel || control.textContent || control.outerHTML.slice(0, 100)
      found.add(`${name} is below ${top?.outerHTML.slice(0, 100)}`)
    }
    return [...found]
  })
