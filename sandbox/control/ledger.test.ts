import { expect, test } from 'vitest'
import { accessToken, control, testSandbox } from '../../test/fakes/sandbox.ts'
import { clientOf, ledger, write } from '../../test/fakes/sandbox-client.ts'

test('the ledger lists each Sheets request with its range and whether it was applied, oldest first', async () => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  const authorization = `Bearer ${await accessToken(root, 'dora@example.com')}`
  await fetch(`${root}/v4/spreadsheets/${spreadsheetId}/values/A1:B2`, {
    headers: { authorization, 'user-agent': 'rowferry run-7' },
  })
  await expect(client.spreadsheets.values.get({ spreadsheetId, range: 'Nowhere!A1' })).rejects.toMatchObject({
    status: 400,
  })
  const entries = await ledger(root)
  expect(entries).toMatchObject([
    { kind: 'write', method: 'PUT', account: 'dora@example.com', status: 200, applied: true, cells: 1 },
    {
      kind: 'read',
      method: 'GET',
      spreadsheet_id: spreadsheetId,
      ranges: ['Sheet1!A1:B2'],
      status: 200,
      applied: false,
    },
    { kind: 'read', status: 400, applied: false },
  ])
  expect(entries[1]?.user_agent).toBe('rowferry run-7')
  expect(entries.map(({ id }) => id)).toEqual([1, 2, 3])
})

test('the ledger counts the cells of each request, including skipped rows', async () => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  const cell = { userEnteredValue: { stringValue: 'x' } }
  const rows = [{ values: [cell, cell] }, {}, {}, { values: [cell] }]
  await client.spreadsheets.batchUpdate({
    spreadsheetId,
    requestBody: { requests: [{ updateCells: { start: {}, rows, fields: 'userEnteredValue' } }] },
  })
  expect((await ledger(root)).at(-1)).toMatchObject({ method: 'POST', cells: 3, applied: true })
})

test('the 61st read in a minute is refused without Retry-After, as recorded; writes are counted separately', async () => {
  let now = new Date('2026-01-05T10:00:05Z')
  const { app, root } = await testSandbox({ now: () => now })
  const { client, spreadsheetId } = await clientOf(root)
  await control(root, 'POST', 'reset', {})
  await control(root, 'PUT', 'quotas', { enabled: true })
  const headers = { authorization: `Bearer ${await accessToken(root, 'dora@example.com')}` }
  const get = () => app.inject({ url: `/v4/spreadsheets/${spreadsheetId}/values/A1`, headers })
  for (let i = 0; i < 60; i += 1) expect((await get()).statusCode).toBe(200)
  const refused = await get()
  expect(refused.statusCode).toBe(429)
  expect(refused.headers).not.toHaveProperty('retry-after')
  expect(refused.json()).toMatchObject({
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message:
        "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user' " +
        "of service 'sheets.googleapis.com' for consumer 'project_number:100000000000'.",
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'RATE_LIMIT_EXCEEDED',
          metadata: { quota_limit: 'ReadRequestsPerMinutePerUser', quota_limit_value: '60' },
        },
        { '@type': 'type.googleapis.com/google.rpc.Help' },
      ],
    },
  })
  await write(client, spreadsheetId, 'still writes')
  now = new Date('2026-01-05T10:01:00Z')
  expect((await get()).statusCode).toBe(200)
})

test('the project has its own limit across all accounts', async () => {
  const { app, root } = await testSandbox({ now: () => new Date('2026-01-05T10:00:05Z') })
  const { spreadsheetId } = await clientOf(root, 'ada@example.com')
  await control(root, 'POST', 'reset', {})
  await control(root, 'PUT', 'quotas', { enabled: true, per_project: 3, per_user: 2 })
  const get = async (email: string) => {
    const headers = { authorization: `Bearer ${await accessToken(root, email)}` }
    const reply = await app.inject({ url: `/v4/spreadsheets/${spreadsheetId}`, headers })
    return reply.json().error?.details?.[0]?.metadata?.quota_limit ?? reply.statusCode
  }
  const answers: unknown[] = []
  for (const email of [
    'ada@example.com',
    'ada@example.com',
    'ada@example.com',
    'ben@example.com',
    'ben@example.com',
  ]) {
    answers.push(await get(email))
  }
  // Ben's request is counted although Ben has no access to the file.
  expect(answers).toEqual([200, 200, 'ReadRequestsPerMinutePerUser', 403, 'ReadRequestsPerMinutePerProject'])
})
