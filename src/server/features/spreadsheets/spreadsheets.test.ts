import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { accessToken, control } from '../../../../test/fakes/sandbox.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { errors } from '../../../contract/errors.ts'
import { spreadsheets } from '../../../contract/spreadsheets/calls.ts'

let app: TestApp
let ada: SignedIn
let token: string

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  token = await accessToken(app.sandbox.root, 'ada@example.com')
})

async function create(title: string, tabs: string[], as = token): Promise<string> {
  const reply = await fetch(`${app.sandbox.root}/v4/spreadsheets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      properties: { title },
      sheets: tabs.map((name) => ({ properties: { title: name } })),
    }),
  })
  return z.object({ spreadsheetId: z.string() }).parse(await reply.json()).spreadsheetId
}

const names = async (query: string, person = ada) => {
  const reply = await person.request('GET', `/api/spreadsheets${query}`)
  expect(reply.statusCode).toBe(200)
  return spreadsheets.list.reply.parse(reply.json()).map(({ name }) => name)
}

test('the picker lists spreadsheets that the user can open, and searches their names', async () => {
  await create('Winter prices', ['One'])
  await create("Summer's prices", ['One'])
  const grace = await accessToken(app.sandbox.root, 'grace@example.com')
  await create('Prices of another user', ['One'], grace)

  const all = await names('')
  expect(all).toEqual(expect.arrayContaining(['Winter prices', "Summer's prices"]))
  expect(all).not.toContain('Prices of another user')
  expect(await names('?search=winter')).toEqual(['Winter prices'])
  expect(await names(`?search=${encodeURIComponent("Summer's")}`)).toEqual(["Summer's prices"])
  expect(await names('?search=no%20such%20name')).toEqual([])
})

test('a spreadsheet is described by name and tabs with their size; an address is accepted in place of the id', async () => {
  const id = await create('Two tabs', ["A'!B1", 'Zweites Blatt'])
  const address = encodeURIComponent(`https://docs.google.com/spreadsheets/d/${id}/edit`)
  for (const path of [id, address]) {
    const reply = await ada.request('GET', `/api/spreadsheets/${path}`)
    expect(reply.statusCode).toBe(200)
    expect(spreadsheets.get.reply.parse(reply.json())).toMatchObject({
      id,
      name: 'Two tabs',
      tabs: [{ title: "A'!B1", rows: 1000, columns: 26 }, { title: 'Zweites Blatt' }],
    })
  }
})

test('missing and unshared spreadsheets are distinguished from failures of Google', async () => {
  const grace = await accessToken(app.sandbox.root, 'grace@example.com')
  const hers = await create('Private', ['One'], grace)
  const forbidden = await ada.request('GET', `/api/spreadsheets/${hers}`)
  expect([forbidden.statusCode, forbidden.json().message]).toEqual([
    403,
    errors.spreadsheet_forbidden.message,
  ])
  const missing = await ada.request('GET', '/api/spreadsheets/there-is-no-such-spreadsheet')
  expect([missing.statusCode, missing.json().message]).toEqual([404, errors.spreadsheet_not_found.message])
  expect((await ada.request('GET', '/api/spreadsheets/short')).statusCode).toBe(404)
})

test('a user with a revoked grant is asked to sign in again', async () => {
  const bob = await app.signIn('bob@example.com')
  await app.db
    .updateTable('grants')
    .set({ revoked_at: new Date() })
    .where('user_id', 'in', app.db.selectFrom('users').select('id').where('email', '=', 'bob@example.com'))
    .execute()
  const reply = await bob.request('GET', '/api/spreadsheets')
  expect([reply.statusCode, reply.json().message]).toEqual([403, errors.no_grant.message])
})

test('the picker refuses unknown parameters and an overlong search', async () => {
  expect((await ada.request('GET', '/api/spreadsheets?q=x')).statusCode).toBe(400)
  expect((await ada.request('GET', `/api/spreadsheets?search=${'x'.repeat(201)}`)).statusCode).toBe(400)
})

test('the picker reports an outage of Google within seconds', async () => {
  await control(app.sandbox.root, 'PUT', 'faults', { faults: [{ kind: '503' }] })
  const reply = await ada.request('GET', '/api/spreadsheets')
  await control(app.sandbox.root, 'POST', 'reset')
  expect([reply.statusCode, reply.json().message]).toEqual([503, errors.google_unavailable.message])
})

test('the number of rows below the start row is shown before a first run replaces them', async () => {
  const id = await create('Held', ['Full', 'Bare'])
  const values = [['Our shop'], ['SKU', 'Price'], ['A', 1], [], ['C', 3]]
  await fetch(`${app.sandbox.root}/v4/spreadsheets/${id}/values/Full!A1?valueInputOption=RAW`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ values }),
  })
  const held = async (query: string) => {
    const reply = await ada.request('GET', `/api/spreadsheets/${id}/held_rows?${query}`)
    return [reply.statusCode, reply.json().rows]
  }
  expect(await held('sheet_name=Full&start_row=2')).toEqual([200, 3])
  expect(await held('sheet_name=full')).toEqual([200, 4])
  expect(await held('sheet_name=Bare')).toEqual([200, 0])
  expect(await held('sheet_name=New')).toEqual([200, 0])
})
