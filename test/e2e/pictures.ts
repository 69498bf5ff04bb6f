import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumOptions } from './chromium.ts'
import { startApp } from './running-app.ts'

// Takes the screenshots of the documents again: node test/e2e/pictures.ts
const FOLDER = join(import.meta.dirname, '../../docs/screenshots')
const TIMEOUT_MS = 120_000

/** How to open the page of each screenshot, after the demo has run. */
const pictures: Record<string, (page: Page) => Promise<unknown>> = {
  home: (page) => page.goto('/'),
  'sync-tasks': (page) => page.goto('/sync_tasks'),
  'source-tasks': (page) => page.goto('/source_tasks'),
  compiler: (page) => page.goto('/compiler?tab=data'),
  'task-types': (page) => page.goto('/sync_task_types'),
  graph: (page) => page.goto('/unified-task-types?graph=picture'),
  'import-export': (page) => page.goto('/import_export'),
}

const app = await startApp()
const browser = await chromium.launch(await chromiumOptions())
try {
  const page = await browser.newPage({
    baseURL: app.url,
    viewport: { width: 1200, height: 760 },
    reducedMotion: 'reduce',
  })
  await page.goto('/auth/login?login_hint=ada@example.com&return_to=/')
  await page.getByRole('button', { name: 'Set up and run the demo' }).click()
  const stages = page.getByRole('list', { name: 'Pipeline' })
  await stages
    .getByRole('listitem')
    .filter({ hasText: 'Sync Tasks1 activeAll well' })
    .waitFor({ timeout: TIMEOUT_MS })
  for (const [name, show] of Object.entries(pictures)) {
    await show(page)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' })
  }
} finally {
  await browser.close()
  await app.stop()
}
