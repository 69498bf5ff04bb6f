import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'
import { findsNothing } from './axe.ts'

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test.describe(`axe finds nothing in light and dark, ${viewport.width} px wide`, () => {
    test.use({ viewport, reducedMotion: 'reduce' })

    test('before the sign-in', async ({ page }) => {
      await page.goto('/?sign_in_error=expired')
      await expect(page.getByRole('alert')).toBeVisible()
      await findsNothing(page, 'home')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await findsNothing(page, 'login dialog')
      await page.goto('/nowhere')
      await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible()
      await findsNothing(page, '404')
    })

    test('on settings, schedules and users', async ({ page }) => {
      await signIn(page)
      await page.goto('/settings')
      await expect(page.getByRole('textbox', { name: 'Times' })).toHaveCount(2)
      await expect(page.getByRole('table', { name: 'Sync presets' })).toBeVisible()
      await findsNothing(page, 'settings')
      await page.getByRole('textbox', { name: 'Times' }).first().fill('24:00, 04:00,')
      await findsNothing(page, 'settings with an invalid time')
      await page.getByRole('button', { name: 'Add preset' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await findsNothing(page, 'preset dialog')
      await page.goto('/schedule')
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await findsNothing(page, 'scheduled tasks')
      await page.goto('/source-schedule')
      await expect(page.getByRole('region', { name: 'Source schedule' })).toBeVisible()
      await findsNothing(page, 'upcoming source tasks')
      await page.goto('/users')
      await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()
      await findsNothing(page, 'users')
    })

    test('on the screens of sync tasks and their types', async ({ page }) => {
      await signIn(page)
      const name = `Axe ${viewport.width}`
      const task = await addTask(page, await addType(page, name), name, [
        ['SKU', 'Price'],
        ['007', 1.5],
      ])
      await page.goto(`/sync_tasks?q=${name}`)
      await page.getByRole('button', { name: `Run ${name}` }).click()
      await expect(page.getByRole('article', { name }).getByText('Success')).toBeVisible()
      await page.goto('/sync_tasks')
      await expect(page.getByRole('article').first()).toBeVisible()
      await findsNothing(page, 'list')
      if (viewport.width < 992) {
        await page.getByRole('button', { name: 'Open menu' }).click()
        await findsNothing(page, 'mobile menu')
        await page.getByRole('button', { name: 'Close menu' }).click()
      }
      await page.getByRole('button', { name: 'More actions' }).first().click()
      await expect(page.getByRole('menu')).toBeVisible()
      await findsNothing(page, 'row menu')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await findsNothing(page, 'delete dialog')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Add task' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add task' }).click()
      await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
      await findsNothing(page, 'add dialog with errors')
      await page.getByRole('combobox', { name: 'Source spreadsheet' }).fill('Catalogue')
      await expect(page.getByRole('option', { name: 'Catalogue master' })).toBeVisible()
      await findsNothing(page, 'spreadsheet picker')

      await page.goto(`/sync_tasks/${task.id}`)
      await expect(page.getByText(/^Copied 1 row /)).toBeVisible()
      await findsNothing(page, 'detail')
      await page.goto(`/sync_tasks/${task.id}/logs`)
      await expect(page.getByRole('table', { name: 'Log' })).toBeVisible()
      await findsNothing(page, 'logs')
      await page.goto(`/sync_tasks/${task.id}/data_copy`)
      await expect(page.getByRole('cell', { name: '007' })).toBeVisible()
      await findsNothing(page, 'copied data')
      await page.getByRole('button', { name: 'Select Columns' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await findsNothing(page, 'column selection')
      await page.goto('/sync_task_types')
      await expect(page.getByRole('table')).toBeVisible()
      await findsNothing(page, 'types')
      await page.getByRole('button', { name: /^Edit/ }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await findsNothing(page, 'type dialog')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /account of/ }).click()
      await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
      await findsNothing(page, 'user menu')
    })
  })
