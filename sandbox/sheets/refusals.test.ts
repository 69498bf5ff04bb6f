import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'
import { accessToken, testSandbox } from '../../test/fakes/sandbox.ts'

const sandbox = sheetsSandbox()

describe("an error in Google's wording", () => {
  test('for values that are not a list of lists', async () => {
    const id = await sandbox.book()
    const message = 'Invalid value at \'data.values\' (type.googleapis.com/google.protobuf.ListValue), "X"'
    const body = { values: 'X', majorDimension: null }
    expect(await sandbox.call('PUT', `/${id}/values/A1?valueInputOption=RAW`, body)).toEqual({
      status: 400,
      body: {
        error: {
          code: 400,
          message,
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: 'data.values', description: message }],
            },
          ],
        },
      },
    })
    expect(await sandbox.refusal('PUT', `/${id}/values/A1?valueInputOption=RAW`, { values: ['X'] })).toBe(
      'Invalid value at \'data.values[0]\' (type.googleapis.com/google.protobuf.ListValue), "X"',
    )
    expect(
      await sandbox.refusal('PUT', `/${id}/values/A1?valueInputOption=RAW`, { values: [[{}]] }),
    ).toContain('Invalid values[0][0]: struct_value')
    expect(await sandbox.refusal('PUT', `/${id}/values/A1?valueInputOption=RAW`, { value: [] })).toBe(
      'Invalid JSON payload received. Unknown name "value" at \'data\': Cannot find field.',
    )
  })

  test('for unknown or missing options', async () => {
    const id = await sandbox.book()
    expect(await sandbox.refusal('PUT', `/${id}/values/A1`, { values: [] })).toBe(
      "'valueInputOption' is required but not specified",
    )
    expect(await sandbox.refusal('PUT', `/${id}/values/A1?valueInputOption=COOKED`, { values: [] })).toBe(
      'Invalid value at \'value_input_option\' (type.googleapis.com/google.apps.sheets.v4.ValueInputOption), "COOKED"',
    )
    expect(await sandbox.refusal('GET', `/${id}/values/A1?valueRenderOption=PLAIN`)).toBe(
      'Invalid value at \'value_render_option\' (type.googleapis.com/google.apps.sheets.v4.ValueRenderOption), "PLAIN"',
    )
  })

  test('for features the sandbox does not support', async () => {
    const id = await sandbox.book()
    expect(await sandbox.refusal('POST', `/${id}/values:batchGetByDataFilter`, {})).toBe(
      `not in the sandbox: POST /v4/spreadsheets/${id}/values:batchGetByDataFilter`,
    )
  })

  test('for an unknown spreadsheet and for another account’s', async () => {
    expect(await sandbox.call('GET', '/unknown')).toEqual({
      status: 404,
      body: { error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } },
    })
    const { root } = await testSandbox()
    const as = async (email: string) => ({ authorization: `Bearer ${await accessToken(root, email)}` })
    const created = await fetch(`${root}/v4/spreadsheets`, {
      method: 'POST',
      headers: await as('ada@example.com'),
    })
    const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(await created.json())
    const reply = await fetch(`${root}/v4/spreadsheets/${spreadsheetId}`, {
      headers: await as('ben@example.com'),
    })
    expect([reply.status, await reply.json()]).toEqual([
      403,
      { error: { code: 403, message: 'The caller does not have permission', status: 'PERMISSION_DENIED' } },
    ])
  })

  test('for an invalid number', async () => {
    const { root } = await testSandbox()
    const authorization = `Bearer ${await accessToken(root)}`
    const headers = { authorization, 'content-type': 'application/json' }
    const created = await fetch(`${root}/v4/spreadsheets`, { method: 'POST', headers })
    const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(await created.json())
    const rows = '[{"values":[{"userEnteredValue":{"numberValue":1e999}}]}]'
    const body = `{"requests":[{"updateCells":{"rows":${rows},"start":{},"fields":"*"}}]}`
    const reply = await fetch(`${root}/v4/spreadsheets/${spreadsheetId}:batchUpdate`, {
      method: 'POST',
      headers,
      body,
    })
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('TYPE_DOUBLE')])
  })

  test('for a body above ten megabytes', async () => {
    const id = await sandbox.book()
    const values = [['x'.repeat(11 * 1024 * 1024)]]
    expect(await sandbox.refusal('PUT', `/${id}/values/A1?valueInputOption=RAW`, { values })).toBe(
      'Request payload size exceeds the limit: 10485760 bytes.',
    )
  })
})
