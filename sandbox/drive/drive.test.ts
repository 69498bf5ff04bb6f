import { drive, type drive_v3 } from '@googleapis/drive'
import type { FastifyInstance } from 'fastify'
import { OAuth2Client } from 'google-auth-library'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessToken, testSandbox } from '../../test/fakes/sandbox.ts'
import { buildSandbox } from '../app.ts'
import { demoIds } from '../demo/seed.ts'

const spreadsheet = 'application/vnd.google-apps.spreadsheet'

/** Google's own Drive client with an account's token. */
async function driveOf(root: string, email: string, scopes?: string[]): Promise<drive_v3.Drive> {
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: await accessToken(root, email, scopes) })
  return drive({ version: 'v3', auth, rootUrl: `${root}/`, retry: false })
}

async function create(client: drive_v3.Drive, name: string): Promise<string> {
  const { data } = await client.files.create({ requestBody: { name, mimeType: spreadsheet } })
  return data.id ?? ''
}

test('create, get and list return the fields requested', async () => {
  const { root } = await testSandbox()
  const client = await driveOf(root, 'dora@example.com')
  const created = await client.files.create({ requestBody: { name: 'Plan', mimeType: spreadsheet } })
  expect(created.data).toEqual({
    kind: 'drive#file',
    id: expect.stringMatching(/^[\w-]{44}$/),
    name: 'Plan',
    mimeType: spreadsheet,
  })
  const fileId = created.data.id ?? ''
  const { data } = await client.files.get({
    fileId,
    fields: 'name,owners(emailAddress,me),capabilities/canEdit',
  })
  expect(data).toEqual({
    name: 'Plan',
    owners: [{ emailAddress: 'dora@example.com', me: true }],
    capabilities: { canEdit: true },
  })
  const list = await client.files.list({ fields: 'files(id),nextPageToken' })
  expect(list.data).toEqual({ files: [{ id: fileId }] })
})

test('list pages through all files once, in the requested order', async () => {
  const { root } = await testSandbox()
  const client = await driveOf(root, 'dora@example.com')
  for (const name of ['b10', 'a', 'b9', 'c']) await create(client, name)
  const seen: (string | null | undefined)[] = []
  let pageToken: string | undefined
  do {
    const { data } = await client.files.list({
      pageSize: 3,
      orderBy: 'name_natural desc',
      ...(pageToken === undefined ? {} : { pageToken }),
    })
    seen.push(...(data.files ?? []).map(({ name }) => name))
    pageToken = data.nextPageToken ?? undefined
  } while (pageToken !== undefined)
  expect(seen).toEqual(['c', 'b10', 'b9', 'a'])
})

describe('searching with', () => {
  const now = () => new Date('2026-06-01T12:00:00Z')
  let app: FastifyInstance
  let client: drive_v3.Drive

  beforeAll(async () => {
    app = await buildSandbox({ dataDir: null, now })
    client = await driveOf(await app.listen({ host: '127.0.0.1', port: 0 }), 'dora@example.com')
    for (const name of ["Kate's list", 'Supplier prices', 'Prix élevés']) await create(client, name)
  })
  afterAll(() => app.close())

  test.each([
    ["name = 'Kate\\'s list'", ["Kate's list"]],
    [`name = "Kate's list"`, ["Kate's list"]],
    ["name contains 'pric'", ['Supplier prices']],
    ["name contains 'ices'", []],
    ["name contains 'Prix'", ['Prix élevés']],
    ["not name contains 'supplier' and name != 'Prix élevés'", ["Kate's list"]],
    [
      "(name = 'Prix élevés' or name = 'Supplier prices') and trashed = false",
      ['Prix élevés', 'Supplier prices'],
    ],
    [`mimeType = '${spreadsheet}' and 'me' in owners and name contains 'kate'`, ["Kate's list"]],
    ["mimeType != 'application/vnd.google-apps.spreadsheet'", []],
    ["'ben@example.com' in owners", []],
    ["'root' in parents and name contains 'list'", ["Kate's list"]],
    [
      "modifiedTime > '2026-01-01T00:00:00' and modifiedTime < '2026-12-31'",
      ["Kate's list", 'Prix élevés', 'Supplier prices'],
    ],
    ["createdTime >= '2027-01-01T00:00:00Z'", []],
    ['trashed = true', []],
    ['sharedWithMe', []],
  ])('q=%s', async (q, names) => {
    const { data } = await client.files.list({ q, orderBy: 'name' })
    expect(data.files?.map(({ name }) => name)).toEqual(names)
  })

  test.each([
    ["name like 'x'"],
    ["name = 'x"],
    ['name = x'],
    ["(name = 'x'"],
    ["name = 'x' name = 'y'"],
    ["colour = 'red'"],
    ["trashed = 'maybe'"],
    ["modifiedTime > 'yesterday'"],
  ])('q=%s is refused as an invalid value', async (q) => {
    await expect(client.files.list({ q })).rejects.toMatchObject({
      status: 400,
      response: {
        data: {
          error: {
            code: 400,
            message: 'Invalid Value',
            errors: [
              {
                message: 'Invalid Value',
                domain: 'global',
                reason: 'invalid',
                location: 'q',
                locationType: 'parameter',
              },
            ],
          },
        },
      },
    })
  })
})

test('a private file is not found by other accounts, a shared file is, and writing needs the role', async () => {
  const { root } = await testSandbox()
  const [ada, ben] = [await driveOf(root, 'ada@example.com'), await driveOf(root, 'ben@example.com')]
  const fileId = await create(ada, 'Private')
  await expect(ben.files.get({ fileId })).rejects.toMatchObject({
    status: 404,
    response: {
      data: { error: { message: `File not found: ${fileId}.`, errors: [{ reason: 'notFound' }] } },
    },
  })
  const reader = await ada.permissions.create({
    fileId,
    requestBody: { type: 'user', role: 'reader', emailAddress: 'ben@example.com' },
  })
  expect((await ben.files.get({ fileId, fields: 'capabilities/canEdit,shared' })).data).toEqual({
    capabilities: { canEdit: false },
    shared: true,
  })
  await expect(ben.files.update({ fileId, requestBody: { name: 'Mine' } })).rejects.toMatchObject({
    status: 403,
    response: { data: { error: { errors: [{ reason: 'insufficientFilePermissions' }] } } },
  })
  await ada.permissions.create({
    fileId,
    requestBody: { type: 'user', role: 'writer', emailAddress: 'ben@example.com' },
  })
  expect((await ben.files.update({ fileId, requestBody: { name: 'Ours' } })).data.name).toBe('Ours')
  await expect(ben.files.delete({ fileId })).rejects.toMatchObject({ status: 403 })
  const { data } = await ada.permissions.list({ fileId, fields: 'permissions(emailAddress,role)' })
  expect(data.permissions).toEqual([
    { emailAddress: 'ada@example.com', role: 'owner' },
    { emailAddress: 'ben@example.com', role: 'writer' },
  ])
  await ada.permissions.delete({ fileId, permissionId: reader.data.id ?? '' })
  await expect(ben.files.get({ fileId })).rejects.toMatchObject({ status: 404 })
})

test("webViewLink is the address of the sandbox's own page", async () => {
  const { root } = await testSandbox()
  const { data } = await (await driveOf(root, 'ada@example.com')).files.get({
    fileId: demoIds.shop,
    fields: 'webViewLink',
  })
  expect(data).toEqual({ webViewLink: `${root}/spreadsheets/d/${demoIds.shop}/edit` })
})

test('a file shared by link is readable but not listed', async () => {
  const { root } = await testSandbox()
  const [ada, eve] = [await driveOf(root, 'ada@example.com'), await driveOf(root, 'eve@example.com')]
  const fileId = await create(ada, 'Open')
  await ada.permissions.create({ fileId, requestBody: { type: 'anyone', role: 'reader' } })
  expect((await eve.files.get({ fileId })).data.name).toBe('Open')
  expect((await eve.files.list()).data.files).toEqual([])
})

test('copy, bin, delete', async () => {
  const { root } = await testSandbox()
  const client = await driveOf(root, 'dora@example.com')
  const fileId = await create(client, 'Original')
  const copy = await client.files.copy({ fileId, requestBody: {} })
  expect(copy.data.name).toBe('Copy of Original')
  await client.files.update({ fileId, requestBody: { trashed: true } })
  const found = await client.files.list({ q: 'trashed = false' })
  expect(found.data.files?.map(({ name }) => name)).toEqual(['Copy of Original'])
  expect((await client.files.delete({ fileId })).status).toBe(204)
  await expect(client.files.get({ fileId })).rejects.toMatchObject({ status: 404 })
})

test('exports the first tab as .csv and everything as .xlsx', async () => {
  const { app, root } = await testSandbox()
  const client = await driveOf(root, 'ada@example.com')
  const fileId = await create(client, 'Goods')
  const headers = { authorization: `Bearer ${await accessToken(root)}` }
  await app.inject({
    method: 'PUT',
    url: `/v4/spreadsheets/${fileId}/values/A1?valueInputOption=USER_ENTERED`,
    headers,
    body: { values: [['SKU', 'Name'], ["'007", 'a "b", c'], [], ['', '50%'], [' x', 'two\nlines']] },
  })
  const csv = await client.files.export({ fileId, mimeType: 'text/csv' }, { responseType: 'text' })
  expect(csv.data).toBe('SKU,Name\r\n007,"a ""b"", c"\r\n,\r\n,50%\r\n x,"two\nlines"')
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const { data } = await client.files.export({ fileId, mimeType }, { responseType: 'arraybuffer' })
  const upload = await app.inject({
    method: 'POST',
    url: '/page/books/upload?name=Again.xlsx&owner=ada%40example.com',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(data as ArrayBuffer),
  })
  expect(upload.json()).toMatchObject({ tabs: ['Sheet1'] })
  for (const query of ['mimeType=application/pdf', '']) {
    const reply = await app.inject({ url: `/drive/v3/files/${fileId}/export?${query}`, headers })
    expect(reply.json()).toMatchObject({ error: { code: 400, errors: [{ domain: 'global' }] } })
  }
  const ben = { authorization: `Bearer ${await accessToken(root, 'ben@example.com')}` }
  const other = await app.inject({ url: `/drive/v3/files/${fileId}/export?mimeType=text/csv`, headers: ben })
  expect(other.statusCode).toBe(404)
})

test('a trailing slash does not change a path', async () => {
  const { root } = await testSandbox()
  const fileId = await create(await driveOf(root, 'ada@example.com'), 'Short-lived')
  const headers = { authorization: `Bearer ${await accessToken(root)}` }
  const deletion = await fetch(`${root}/drive/v3/files/${fileId}/`, { method: 'DELETE', headers })
  expect(deletion.status).toBe(204)
  expect((await fetch(`${root}/drive/v3/files/${fileId}`, { headers })).status).toBe(404)
})

test('metadata scopes list but do not create', async () => {
  const { root } = await testSandbox()
  const client = await driveOf(root, 'ada@example.com', ['drive.metadata.readonly'])
  expect((await client.files.list()).data.files).toHaveLength(5)
  await expect(create(client, 'No')).rejects.toMatchObject({ status: 403 })
})

test('without credentials it is 403, with a bad token 401 and WWW-Authenticate', async () => {
  const { root } = await testSandbox()
  const none = await fetch(`${root}/drive/v3/files`)
  expect(none.status).toBe(403)
  expect(await none.json()).toMatchObject({ error: { status: 'PERMISSION_DENIED' } })
  const bad = await fetch(`${root}/drive/v3/files`, { headers: { authorization: 'Bearer ya29.forged' } })
  expect(bad.status).toBe(401)
  expect(bad.headers.get('www-authenticate')).toContain('invalid_token')
  expect(await bad.json()).toMatchObject({
    error: { status: 'UNAUTHENTICATED', errors: [{ reason: 'authError' }] },
  })
})
