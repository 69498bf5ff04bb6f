import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/app.ts'
import { aSpreadsheetId, aType } from '../../../../test/factories.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

test('a sheet task is added, listed, changed and deleted', async () => {
  const type = await aType(app.db, { category: 'source', chunk_size: 700 })
  const spreadsheet_id = aSpreadsheetId()
  const reply = await ada.request('POST', '/api/source_tasks', {
    name: 'Prices',
    source_task_type_id: type.id,
    source_type: 'sheet',
    spreadsheet_id,
    sheet_name: 'May',
  })
  expect(reply.json()).toMatchObject({
    name: 'Prices',
    source_task_type_id: type.id,
    source_task_type_name: type.name,
    spreadsheet_id,
    sheet_name: 'May',
    chunk_size: 700,
    running_status: 'new',
    is_running: false,
    next_run_time: null,
    account: { email: 'ada@example.com' },
  })
  expect(reply.statusCode).toBe(201)
  const { id, updated_at } = reply.json()
  expect((await ada.request('GET', '/api/source_tasks')).json()).toMatchObject([{ id }])
  const changed = await ada.request('PUT', `/api/source_tasks/${id}`, { name: 'Costs', updated_at })
  expect(changed.json()).toMatchObject({ id, name: 'Costs', sheet_name: 'May', warnings: expect.any(Array) })
  expect((await ada.request('GET', `/api/source_tasks/${id}`)).json()).toMatchObject({
    name: 'Costs',
    logs: [],
    receipt: null,
  })
  expect((await ada.request('DELETE', `/api/source_tasks/${id}`)).statusCode).toBe(204)
  expect((await ada.request('GET', `/api/source_tasks/${id}`)).json()).toMatchObject({
    error: 'Source task not found.',
  })
})
