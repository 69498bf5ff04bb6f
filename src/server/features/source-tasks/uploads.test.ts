import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aType } from '../../../../test/fixtures/factories.ts'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { form, formType } from '../../../../test/fixtures/form.ts'
import { sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { aToken } from '../../../../test/fixtures/tokens.ts'
import { packed, workbookParts } from '../../../../test/fixtures/workbooks.ts'
import { limits } from '../../../contract/limits.ts'
import { openSource } from '../../connectors/files/source.ts'
import { findUpload } from '../../connectors/files/uploads.ts'
import { parseRow } from '../../connectors/row-json.ts'
import { Definition, snapshotDefinition } from '../../run-handlers/ingest/definition.ts'

// Each check of a file starts a process.
vi.setConfig({ testTimeout: 240_000 })

let site: TestApp
let ada: SignedIn
let tasks: ReturnType<typeof sourceTasksOf>

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn('ada@example.com')
  tasks = sourceTasksOf(ada)
})

const CSV = 'SKU;Price\n007;1,5\n'

async function send(url: string, content: string | Buffer, filename = 'prices.csv', person = ada) {
  const reply = await site.app.inject({
    method: 'POST',
    url,
    headers: { ...person.headers, 'content-type': formType },
    payload: form({ content, filename, mime: 'application/octet-stream' }),
  })
  return { status: reply.statusCode, body: reply.json() }
}

const put = async (id: number, content: string | Buffer, filename?: string, person = ada) => {
  const { status, body } = await send(`/api/source_tasks/${id}/file`, content, filename, person)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const filesOf = async (id: number) => (await ada.request('GET', `/api/source_tasks/${id}/files`)).json()

/** The rows that the next run reads. */
async function rowsOf(id: number) {
  const frozen = await site.db.transaction().execute((trx) => snapshotDefinition(trx, [id]))
  const { origin } = Definition.parse(frozen.get(id)?.definition)
  if (origin === null || !('spreadsheet_id' in origin)) throw new Error('The task reads no file')
  const context = { signal: AbortSignal.timeout(120_000), beforeRequest: async () => {} }
  const source = await openSource((one) => findUpload(site.db, one), origin, context)
  const rows = []
  for await (const batch of source.read().batches)
    for (const row of batch) rows.push(parseRow(Buffer.from(row).toString()))
  return rows
}

test('an uploaded file becomes the file of its task, with who and when; the next run reads it', async () => {
  const { id } = await tasks.add()
  const bob = await site.signIn('bob@example.com')
  const { file, warnings } = await put(id, CSV, 'Preisliste März.csv', bob)
  expect(warnings).toEqual([])
  expect(file).toMatchObject({
    spreadsheet_id: `Uploads/${file.id}/Preisliste März.csv`,
    size: CSV.length,
    uploaded_by: 'bob@example.com',
    is_current: true,
  })
  expect(await tasks.get(id)).toMatchObject({
    source_provider: 'files',
    spreadsheet_id: file.spreadsheet_id,
    spreadsheet_name: 'Preisliste März.csv',
  })
  expect(await rowsOf(id)).toEqual([
    ['SKU', 'Price'],
    ['007', '1,5'],
  ])
  const state = await ada.request('GET', `/api/source_tasks/${id}/file_state`)
  expect(state.json()).toMatchObject({ size: CSV.length, locked_by: null, problem: null, is_late: false })
  const changes = await ada.request('GET', `/api/tasks/${id}/changes`)
  expect(changes.json().changes[0]).toMatchObject({ actor: 'bob@example.com' })
  const log = await site.db.selectFrom('audit_log').selectAll().where('action', '=', 'upload').execute()
  expect(log.at(-1)).toMatchObject({
    actor: 'bob@example.com',
    object_type: 'source_task',
    object_id: String(id),
  })
})

test('it can be downloaded as it was uploaded', async () => {
  const { id } = await tasks.add()
  const { file } = await put(id, CSV, 'März "neu".csv'.replaceAll('"', ''))
  const reply = await ada.request('GET', `/api/source_tasks/${id}/files/${file.id}`)
  expect(reply.body).toBe(CSV)
  expect(reply.headers['content-disposition']).toBe(
    `attachment; filename="M_rz neu.csv"; filename*=UTF-8''M%C3%A4rz%20neu.csv`,
  )
  expect((await ada.request('GET', `/api/source_tasks/${id}/files/999999`)).statusCode).toBe(404)
})

test('ten files are kept besides the one in use; a former one can be used again, while a run is live, too', async () => {
  const { id } = await tasks.add()
  const first = (await put(id, CSV, 'first.csv')).file
  for (let n = 1; n <= limits.uploaded_files_kept; n += 1) await put(id, `SKU\n${n}\n`, `file-${n}.csv`)
  const names = (await filesOf(id)).map(({ name }: { name: string }) => name)
  expect(names).toHaveLength(limits.uploaded_files_kept)
  expect(names).not.toContain('first.csv')
  const gone = await ada.request('POST', `/api/source_tasks/${id}/files/${first.id}/use`)
  expect(gone.statusCode).toBe(404)

  await aRun(site.db, id, { state: 'running', category: 'source' })
  const oldest = (await filesOf(id)).at(-1)
  const used = await ada.request('POST', `/api/source_tasks/${id}/files/${oldest.id}/use`)
  expect(used.json()).toMatchObject({ file: { name: oldest.name, is_current: true } })
  await put(id, 'SKU\nnewer\n', 'newer.csv')
  await ada.request('POST', `/api/source_tasks/${id}/files/${oldest.id}/use`)
  await put(id, 'SKU\nnewest\n', 'newest.csv')
  expect((await tasks.get(id)).spreadsheet_name).toBe('newest.csv')
})

test('a file is uploaded before its task is saved; a duplicate has its own copy', async () => {
  const kept = await send('/api/uploads', CSV)
  expect(kept).toMatchObject({
    status: 201,
    body: { name: 'prices.csv', tabs: [{ title: 'CSV' }], format: { delimiter: ';' } },
  })
  const described = await ada.request('GET', `/api/spreadsheets/${encodeURIComponent(kept.body.id)}`)
  expect(described.json()).toMatchObject({ name: 'prices.csv', tabs: [{ title: 'CSV' }] })

  const original = await tasks.add({ spreadsheet_id: kept.body.id, sheet_name: '' })
  expect(original).toMatchObject({ spreadsheet_id: kept.body.id, warnings: [] })
  const copy = await tasks.add({ spreadsheet_id: kept.body.id, sheet_name: '' })
  expect(copy.spreadsheet_id).not.toBe(original.spreadsheet_id)
  await tasks.remove(original.id)
  expect(await rowsOf(copy.id)).toHaveLength(2)
  expect(await filesOf(copy.id)).toMatchObject([{ name: 'prices.csv', uploaded_by: 'ada@example.com' }])
  const left = await site.db.selectFrom('uploaded_files').select('id').where('task_id', 'is', null).execute()
  expect(left).toEqual([])
})

test('a file that is gone is named in a warning', async () => {
  const saved = await tasks.add({ spreadsheet_id: 'Uploads/999999/prices.csv', sheet_name: '' })
  expect(saved.warnings[0]).toContain('There is no uploaded file ‘Uploads/999999/prices.csv’')
})

test('a workbook without the tab that the task reads is taken with a warning', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const path = await testFolder()
  await packed(path, workbookParts({ tabs: { Stock: `<row r="1">${text('SKU')}</row>` } }), 'stock.xlsx')
  const { id } = await tasks.add({ sheet_name: 'Prices' })
  const { warnings } = await put(id, await readFile(`${path}/stock.xlsx`), 'stock.xlsx')
  expect(warnings).toEqual([
    '‘stock.xlsx’ has no tab ‘Prices’, which this task reads. It has ‘Stock’. Edit the task, or upload another file.',
  ])
})

test.each([
  ['letter.docx', 'text', '‘letter.docx’ cannot be read.'],
  ['prices.xlsx', 'no workbook', '‘prices.xlsx’ is not a workbook.'],
  ['prices.csv', '', '‘prices.csv’ is empty.'],
  ['a:b.csv', 'SKU\n1\n', 'is not the name of a file that can be kept'],
])('%s is refused, and nothing is stored', async (name, content, message) => {
  const { id, spreadsheet_id } = await tasks.add()
  const { status, body } = await send(`/api/source_tasks/${id}/file`, content, name)
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  expect(await filesOf(id)).toEqual([])
  expect((await tasks.get(id)).spreadsheet_id).toBe(spreadsheet_id)
})

test('more than 50 MB are refused before anything is stored', async () => {
  const { id } = await tasks.add()
  const { status } = await send(
    `/api/source_tasks/${id}/file`,
    Buffer.alloc(limits.uploaded_file_bytes + 1, 'a'),
  )
  expect(status).toBe(413)
  expect(await filesOf(id)).toEqual([])
})

test('a task that reads no sheet takes no file, and a missing task is 404', async () => {
  const { id: origin } = await tasks.add()
  const { id } = await tasks.add({
    source_type: 'internal',
    source_identifier: `task-${origin}`,
    spreadsheet_id: undefined,
    sheet_name: undefined,
  })
  const { status, body } = await send(`/api/source_tasks/${id}/file`, CSV)
  expect([status, body.message]).toEqual([400, expect.stringContaining('does not read a sheet')])
  expect((await send('/api/source_tasks/999999/file', CSV)).status).toBe(404)
})

test('a token needs the right to edit', async () => {
  const { id } = await tasks.add()
  const post = async (right: 'read' | 'run' | 'edit') => {
    const token = await aToken(ada, right, `${right} files`)
    const reply = await site.app.inject({
      method: 'POST',
      url: `/api/source_tasks/${id}/file`,
      headers: { authorization: `Bearer ${token}`, 'content-type': formType },
      payload: form({ content: CSV, filename: 'prices.csv' }),
    })
    return reply.statusCode
  }
  expect([await post('read'), await post('run'), await post('edit')]).toEqual([403, 403, 201])
})

test('two people upload at once: both files are kept, and one is in use', async () => {
  const { id } = await tasks.add()
  await Promise.all([put(id, 'SKU\n1\n', 'one.csv'), put(id, 'SKU\n2\n', 'two.csv')])
  const files: { is_current: boolean }[] = await filesOf(id)
  expect(files).toHaveLength(2)
  expect(files.filter(({ is_current }) => is_current)).toHaveLength(1)
})

test('the format of a CSV file can be set', async () => {
  const { id } = await tasks.add()
  await put(id, "SKU|Name;Text\n1|'a|b';c\n")
  expect(await rowsOf(id)).toEqual([
    ['SKU|Name', 'Text'],
    ["1|'a|b'", 'c'],
  ])
  await tasks.change(id, { csv_delimiter: '|', csv_quote: "'" })
  expect((await rowsOf(id))[0]).toEqual(['SKU', 'Name;Text'])
  const exported = await ada.request('POST', '/api/source_tasks/export_csv', { ids: [id] })
  expect(exported.body).toContain('csv_delimiter')
  const [status, refused] = await tasks.put(id, { csv_delimiter: 'x' })
  expect([status, refused.field]).toEqual([400, 'csv_delimiter'])
})

test('a sync task takes no uploaded file', async () => {
  const { id: sync_task_type_id } = await aType(site.db, {})
  const reply = await ada.request('POST', '/api/sync_tasks', {
    sync_task_type_id,
    name: 'From an upload',
    source_ss_id: 'Uploads/1/prices.csv',
    target_ss_id: 'the-target-spreadsheet-1',
    target_sheet_name: 'Shop',
  })
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'source_ss_id'])
})
