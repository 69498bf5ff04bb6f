import { beforeAll, describe, expect, test } from 'vitest'
import { accessToken } from '../../../../test/fakes/sandbox.ts'
import { Spreadsheets } from '../../../../test/fakes/spreadsheets.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aSyncTask, aSyncTaskBody, aType } from '../../../../test/fixtures/factories.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { replacedTable, type WriteSettings } from '../../../contract/rows/write-settings.ts'

let site: TestApp
let ada: SignedIn
let sheets: Spreadsheets
beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn('ada@example.com')
  sheets = new Spreadsheets()
  sheets.connect(site.sandbox.root, () => accessToken(site.sandbox.root, 'ada@example.com'))
})

const source = (source_ss_id: string, source_sheet_name: string) => ({
  source_type: 'sheet' as const,
  source_ss_id,
  source_sheet_name,
  source_compiler_config_id: null,
})

const settings: WriteSettings = {
  write_mode: 'update',
  key_columns: ['SKU', 'Shop, city'],
  on_missing: 'mark',
  mark_column: '=State',
  mark_text: 'Gone since {date}',
  on_bad_keys: 'skip',
  find_columns_by_header: true,
  on_cells_beside: 'warn',
  more_sources: [source('m'.repeat(44), 'Winter "26"'), source('n'.repeat(44), '')],
  split_by: null,
  split_tab_name: 'Shop {value}',
  target_csv_delimiter: '\t',
  target_csv_encoding: 'utf-8-bom',
  source_csv_delimiter: '\t',
  source_csv_encoding: 'windows-1252',
  source_csv_quote: "'",
}

const created = async (fields: object = settings) => {
  const type = await aType(site.db)
  return ada.request('POST', '/api/sync_tasks', aSyncTaskBody(type.id, fields))
}
const put = (id: number, fields: object) => ada.request('PUT', `/api/sync_tasks/${id}`, fields)
const refusal = (reply: { statusCode: number; json(): { field: string; message: string } }) => {
  const { field, message } = reply.json()
  return [reply.statusCode, field, message]
}

test('a task keeps how its rows come into the target; a body without these settings replaces', async () => {
  const reply = await created()
  expect(reply.statusCode, reply.body).toBe(201)
  expect(reply.json()).toMatchObject(settings)
  expect((await created({})).json()).toMatchObject(replacedTable)
})

const columns = [{ source: 'A', name: 'SKU' }]

describe('settings that do not go together are refused, by an addition and by an edit of the stored task', () => {
  test.each<[what: string, fields: object, field: string, message: RegExp]>([
    ['update without keys', { write_mode: 'update' }, 'key_columns', /^Choose at least one key column/],
    ['a key that is not copied', { columns, key_columns: ['SKU', 'EAN'] }, 'key_columns.1', /‘EAN’/],
    ['a mark under replace', { on_missing: 'mark', mark_column: 'X' }, 'on_missing', /replace does not/],
    ['clear under append', { write_mode: 'append', on_missing: 'clear' }, 'on_missing', /append does not/],
    [
      'a mark without a column',
      { write_mode: 'update', key_columns: ['SKU'], on_missing: 'mark' },
      'mark_column',
      /^Choose the column/,
    ],
    [
      'a mark in the key',
      { write_mode: 'update', key_columns: ['SKU'], on_missing: 'mark', mark_column: ' SKU ' },
      'mark_column',
      /‘SKU’ is a key column/,
    ],
    [
      'a mark in a copied column',
      {
        write_mode: 'update',
        key_columns: ['SKU'],
        on_missing: 'mark',
        mark_column: 'Shop',
        extra_columns: [{ kind: 'source_name', name: 'Shop' }],
      },
      'mark_column',
      /‘Shop’ is copied/,
    ],
    ['a split by what is not copied', { columns, split_by: 'Shop' }, 'split_by', /‘Shop’ is not one/],
    [
      'a split under update',
      { write_mode: 'update', key_columns: ['SKU'], split_by: 'Shop' },
      'split_by',
      /update does not go with it/,
    ],
    [
      'a split that finds columns',
      { find_columns_by_header: true, split_by: 'Shop' },
      'find_columns_by_header',
      /does not find columns/,
    ],
    [
      'a mark on tabs',
      { split_by: 'Shop', on_missing: 'mark', mark_column: 'State' },
      'on_missing',
      /no place for a mark/,
    ],
    [
      'a source twice',
      { more_sources: [source('m'.repeat(44), 'A'), source('m'.repeat(44), 'a')] },
      'more_sources.1.source_sheet_name',
      /Source 3 is listed twice/,
    ],
  ])('%s', async (_, fields, field, message) => {
    const expected = [400, field, expect.stringMatching(message)]
    expect(refusal(await created(fields))).toEqual(expected)
    const { id } = (await created({})).json()
    const before = (await ada.request('GET', `/api/sync_tasks/${id}`)).json()
    expect(refusal(await put(id, fields))).toEqual(expected)
    expect((await ada.request('GET', `/api/sync_tasks/${id}`)).json()).toEqual(before)
  })

  test('one field is checked against the others that are stored', async () => {
    const { id } = (await created()).json()
    expect(refusal(await put(id, { key_columns: [] }))).toEqual([400, 'key_columns', expect.any(String)])
    expect(refusal(await put(id, { columns }))).toEqual([400, 'key_columns.1', expect.any(String)])
    expect(refusal(await put(id, { write_mode: 'replace' }))).toEqual([400, 'on_missing', expect.any(String)])
    expect(refusal(await put(id, { mark_column: 'SKU' }))).toEqual([400, 'mark_column', expect.any(String)])
    expect((await put(id, { write_mode: 'replace', on_missing: 'keep' })).statusCode).toBe(200)
  })

  test('a row of a file, with its column', async () => {
    const type = await aType(site.db, { name: 'Refused' })
    const task = await aSyncTask(site.db, { task_type_id: type.id, name: 'Known' })
    const uploads = uploadsTo('/api/sync_tasks/import', site, ada)
    const line = (name: string) => `Refused,${name},${'s'.repeat(44)},${'t'.repeat(44)},${name},update`
    const header = 'task_type,name,source_ss_id,target_ss_id,target_sheet_name,write_mode'
    const reply = await uploads.imported(`${header}\r\n${line('New')}\r\n${line(task.name)}\r\n`)
    expect(reply).toMatchObject({
      created: 0,
      updated: 0,
      failed: 2,
      errors: [{ field: 'key_columns' }, { field: 'key_columns' }],
    })
  })

  test('a revert that would leave a task without keys', async () => {
    const { id } = (
      await created({ ...settings, write_mode: 'append', on_missing: 'keep', key_columns: [] })
    ).json()
    await put(id, { key_columns: ['SKU'] })
    await put(id, { write_mode: 'update' })
    const { changes } = (await ada.request('GET', `/api/tasks/${id}/changes`)).json()
    const revert = (change_id: number) => ada.request('POST', `/api/sync_tasks/${id}/revert`, { change_id })
    expect(refusal(await revert(changes[1].id))).toEqual([400, 'key_columns', expect.any(String)])
    expect((await revert(changes[0].id)).json()).toMatchObject({ write_mode: 'append', key_columns: ['SKU'] })
  })
})

test('the history has these settings in words, sources by name, and a revert restores them', async () => {
  const winter = await sheets.spreadsheet({ Products: [['SKU'], ['007']] })
  const config = await aConfig(site.db, { name: 'Shop catalog' })
  const compiled = {
    source_type: 'internal',
    source_ss_id: '',
    source_sheet_name: '',
    source_compiler_config_id: config.id,
  }
  const former = { ...settings, more_sources: [source(winter, 'Products'), compiled] }
  const { id, more_source_names } = (await created(former)).json()
  expect(more_source_names).toEqual([expect.stringMatching(/\w/), 'Shop catalog'])
  await put(id, { ...replacedTable })
  const { changes } = (await ada.request('GET', `/api/tasks/${id}/changes`)).json()
  const before = Object.fromEntries(
    changes[0].fields.map(({ label, before: text }: { label: string; before: string }) => [label, text]),
  )
  expect(before).toEqual({
    'Write mode': 'Update by key',
    'Key columns': 'SKU, Shop, city',
    'Missing rows': 'Mark them',
    'Column for the mark': '=State',
    'Text of the mark': 'Gone since {date}',
    'Blank or repeated keys': 'Skip these rows',
    'Find columns by header': 'yes',
    'Cells beside the table': 'Write, with a warning',
    'Further sources': 'Book / Products, Shop catalog',
    'Names of the tabs': 'Shop {value}',
    'Delimiter of the CSV file': 'Tab',
    'Encoding of the CSV file': 'UTF-8 with a byte order mark',
    'Delimiter of the CSV source': 'Tab',
    'Encoding of the CSV source': 'Windows-1252 (Western Europe)',
    'Quote of the CSV source': "Single quote '",
  })
  const reverted = await ada.request('POST', `/api/sync_tasks/${id}/revert`, { change_id: changes[0].id })
  expect(reverted.json()).toMatchObject(former)
  const [last] = (await ada.request('GET', `/api/tasks/${id}/changes`)).json().changes
  expect(last.fields).toContainEqual(
    expect.objectContaining({
      label: 'Further sources',
      before: 'none',
      after: 'Book / Products, Shop catalog',
    }),
  )
})

test('settings are unchanged after an export and an import; a file without their columns changes none', async () => {
  const { id } = (await created()).json()
  const uploads = uploadsTo('/api/sync_tasks/import', site, ada)
  const file = (await ada.request('GET', '/api/sync_tasks/export')).body
  expect(await uploads.imported(file)).toMatchObject({ status: 'success', updated: 0, failed: 0 })
  await put(id, { ...replacedTable })
  expect(await uploads.imported(file)).toMatchObject({ status: 'success', updated: 1, failed: 0 })
  expect((await ada.request('GET', `/api/sync_tasks/${id}`)).json()).toMatchObject(settings)
  const type = await aType(site.db, { name: 'Older files' })
  const { name } = (await put(id, { sync_task_type_id: type.id, name: 'Kept' })).json()
  const header = 'task_type,name,target_ss_id,target_sheet_name,start_row'
  const old = `${header}\r\nOlder files,${name},${'o'.repeat(44)},Old,7\r\n`
  expect(await uploads.imported(old)).toMatchObject({ updated: 1, failed: 0 })
  expect((await ada.request('GET', `/api/sync_tasks/${id}`)).json()).toMatchObject({
    ...settings,
    start_row: 7,
  })
})

describe('further sources', () => {
  test('are searched by their tabs, and checked for access when the task is saved', async () => {
    const closed = 'x'.repeat(44)
    const saved = (await created({ more_sources: [source(closed, 'Zebrafinch')] })).json()
    expect(saved.warnings).toContainEqual(expect.stringMatching(/source/))
    const { tasks } = (await ada.request('GET', '/api/search?search=zebrafinch')).json()
    expect(tasks).toMatchObject([{ id: saved.id }])
  })

  test('make a task unready, with their number, until all can be read', async () => {
    const first = await sheets.spreadsheet({ Products: [['SKU'], ['007']] })
    const config = await aConfig(site.db, { name: 'Not compiled' })
    const compiled = {
      source_type: 'internal',
      source_ss_id: '',
      source_sheet_name: '',
      source_compiler_config_id: config.id,
    }
    const readiness = async (more_sources: object[]) => {
      const { id } = (
        await created({ source_ss_id: first, source_sheet_name: 'Products', more_sources })
      ).json()
      return (await ada.request('GET', `/api/sync_tasks/${id}/check_readiness`)).json()
    }
    const second = await sheets.spreadsheet({ Winter: [['SKU'], ['007']] })
    expect(await readiness([source(second, 'Winter')])).toMatchObject({
      ready: true,
      message: expect.stringMatching(/^All 2 sources/),
    })
    expect(await readiness([source(second, 'Winter'), compiled])).toMatchObject({
      ready: false,
      message: expect.stringMatching(/^Source 3: .*Not compiled/),
    })
  })

  test('are no configuration that is gone, and a configuration that one uses is not deleted', async () => {
    const config = await aConfig(site.db, { name: 'In use' })
    const compiled = (id: number) => ({
      source_type: 'internal',
      source_ss_id: '',
      source_sheet_name: '',
      source_compiler_config_id: id,
    })
    const gone = await created({ more_sources: [compiled(99_999)] })
    expect([gone.statusCode, gone.json().field]).toEqual([422, 'more_sources'])
    await created({ more_sources: [compiled(config.id)] })
    expect((await ada.request('DELETE', `/api/compiler/configs/${config.id}`)).statusCode).toBe(409)
  })

  test('are not the target, also under a name that looks the same', async () => {
    const target = { target_ss_id: 't'.repeat(44), target_sheet_name: 'Shop' }
    for (const name of ['shop', 'Sh\u200bop']) {
      const reply = await created({ ...target, more_sources: [source(target.target_ss_id, name)] })
      expect([reply.statusCode, reply.json().field]).toEqual([400, expect.stringMatching(/^more_sources/)])
    }
  })
})
