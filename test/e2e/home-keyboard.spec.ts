import { expect, test } from './app-test.ts'
import { goTo } from './by-keyboard.ts'
import { compilerScreens } from './compiler-screens.ts'
import { homeStates } from './home-screens.ts'
import { enter } from './screen-states.ts'

test('home and a configuration are usable by keyboard: pipeline, tasks that need attention, compile menu, warnings, columns', async ({
  page,
}) => {
  const press = (key: string) => page.keyboard.press(key)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await enter(page, '/')
  await homeStates['failures, runs, and what comes']?.(page)
  await goTo(page, button('Run pipeline'))
  await press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Run pipeline' })).toBeFocused()
  await press('Escape')
  await expect(button('Run pipeline')).toBeFocused()
  await goTo(page, page.getByRole('link', { name: /^Compiler 1 active/ }))
  await goTo(page, page.getByRole('link', { name: 'Prices 0', exact: true }))
  await goTo(page, page.getByRole('link', { name: 'Catalogue', exact: true }))
  await press('Enter')
  await expect(page).toHaveURL(/\/compiler\/2$/)

  await compilerScreens['/compiler/:id']?.['a configuration']?.(page)
  await goTo(page, button('Other ways to compile Catalogue'))
  await press('Enter')
  await goTo(page, page.getByRole('menuitem', { name: 'Add new SKUs only' }), 'ArrowDown')
  const compiled = page.waitForRequest('**/api/compiler/compile')
  await press('Enter')
  expect((await compiled).postDataJSON()).toMatchObject({ overwrite: false })
  await expect(button('Other ways to compile Catalogue')).toBeFocused()
  await goTo(page, button('Acknowledge'))
  const acknowledged = page.waitForRequest('**/api/compiler/configs/1/warnings/acknowledge')
  await press('Enter')
  expect((await acknowledged).postDataJSON()).toEqual({ warning_ids: ['w-1'] })
  await goTo(page, button('Unit price is Price'))
  const named = page.waitForRequest('**/api/compiler/configs/1/column_names')
  await press('Enter')
  expect((await named).postDataJSON()).toEqual({ source_task_id: 22, column: 'Unit price', field: 'Price' })
})

test('home has each heading once: the summary, then one per section', async ({ page }) => {
  await enter(page, '/')
  await homeStates['warnings without a failure']?.(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Rowferry/)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    '7 tasks need attention',
    'Needs attention',
    'Running now',
    'Runs per day',
    'Coming up',
    'Google quota',
  ])
})
