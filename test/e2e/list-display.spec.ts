import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

test('a list is grouped by tag or owner, with dense rows; the choice stays, and the buttons of a group act on its tasks', async ({
  page,
}, { testId }) => {
  await signIn(page)
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
  const type = await addType(page, `Grouped ${testId}`, { max_retries: 0, allowed_concurrent_tasks: 5 })
  const both = await addTask(page, type, `Both ${testId}`, [['SKU'], ['007']])
  const one = await addTask(page, type, `One ${testId}`, [['SKU'], ['007']])
  await addTask(page, type, `None ${testId}`, [['SKU'], ['007']])
  await send(page, 'PUT', `/api/sync_tasks/${both.id}`, { tags: ['north', 'prices'] })
  await send(page, 'PUT', `/api/sync_tasks/${one.id}`, { tags: ['prices'] })
  await page.goto('/sync_tasks')
  const heads = page.getByRole('heading', { level: 2 })
  await expect(heads).toHaveText([`Grouped ${testId}3`])
  const tall = (await page.getByRole('article').first().boundingBox())?.height ?? 0

  await page.getByRole('button', { name: 'Groups and density' }).click()
  await page.getByRole('menuitemradio', { name: 'Tag' }).click()
  await page.getByRole('menuitemradio', { name: 'Dense' }).click()
  await page.keyboard.press('Escape')
  await expect(heads).toHaveText(['north1', 'prices2', 'Without a tag1'])
  await expect(page.getByRole('article', { name: both.name })).toHaveCount(2)
  await page.reload()
  await expect(heads).toHaveText(['north1', 'prices2', 'Without a tag1'])
  const dense = (await page.getByRole('article').first().boundingBox())?.height ?? 0
  expect(dense).toBeLessThan(tall)

  await test.step('selecting a group selects its tasks once', async () => {
    await page.getByRole('checkbox', { name: /prices/ }).click()
    await expect(page.getByText('2 tasks selected')).toBeVisible()
    await page.keyboard.press('Escape')
  })
  await test.step('a group is folded alone, and runs its own tasks only', async () => {
    await heads.filter({ hasText: 'north' }).getByRole('button').click()
    await expect(page.getByRole('article', { name: both.name })).toHaveCount(1)
    await page.getByRole('button', { name: /^Run these 2.*prices/ }).click()
    await expect(page.getByRole('article', { name: one.name }).getByText('Success')).toBeVisible()
    await expect(page.getByRole('article', { name: both.name }).getByText('Success')).toBeVisible()
    await expect(page.getByRole('article', { name: `None ${testId}` }).getByText('Pending')).toBeVisible()
  })
  await page.getByRole('button', { name: 'Groups and density' }).click()
  await page.getByRole('menuitemradio', { name: 'Owner' }).click()
  await page.keyboard.press('Escape')
  await expect(heads).toHaveText(['Without an owner3'])
})
