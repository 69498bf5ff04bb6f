import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSourceTask, aSyncTask, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let ada: SignedIn
let bea: { id: number; email: string }
beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
  bea = await aUser(app.db, { email: 'Bea@Example.com', name: 'Bea' })
})

const NOTES = '=HYPERLINK("https://evil.example")\n\n- **one**, "two"'

const files = {
  sync: {
    imports: '/api/sync_tasks/import',
    exports: '/api/sync_tasks/export',
    path: '/api/sync_tasks',
    type_column: 'task_type',
    needed: (name: string) => ({
      target_ss_id: `target-of-${name}-0000000`,
      target_sheet_name: 'Data',
      source_ss_id: `source-of-${name}-00000`,
    }),
    made: async (type_id: number, name: string) =>
      (await aSyncTask(app.db, { task_type_id: type_id, name })).id,
  },
  source: {
    imports: '/api/source_tasks/import_csv',
    exports: '/api/source_tasks/export_csv',
    path: '/api/source_tasks',
    type_column: 'source_task_type_name',
    needed: (name: string) => ({
      source_type: 'sheet',
      spreadsheet_id: `sheet-of-${name}-00000000`,
      sheet_name: 'Data',
    }),
    made: async (type_id: number, name: string) =>
      (await aSourceTask(app.db, { task_type_id: type_id, name })).id,
  },
}

let serial = 0

describe.each(['sync', 'source'] as const)('a CSV file of %s tasks', (category) => {
  const { imports, exports, path, type_column, needed, made } = files[category]
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const world = async () => {
    serial += 1
    const type = await aType(app.db, { category, name: `Type ${serial}` })
    const name = `Task ${serial}`
    const upload = (cells: Record<string, string>, of = name) => {
      const row = { [type_column]: type.name, name: of, ...needed(of.replaceAll(' ', '-')), ...cells }
      const lines = [Object.keys(row), Object.values(row)].map((line) => line.map(quoted).join(','))
      return uploadsTo(imports, app, ada).imported(`${lines.join('\r\n')}\r\n`)
    }
    const find = async (of = name) => {
      const { id } = await app.db
        .selectFrom('tasks')
        .select('id')
        .where('task_type_id', '=', type.id)
        .where('name', '=', of)
        .executeTakeFirstOrThrow()
      return (await ada.request('GET', `${path}/${id}`)).json()
    }
    return { type, name, upload, find }
  }

  test('sets owner, tags and notes of new tasks', async () => {
    const { upload, find } = await world()
    const cells = { owner: ' bea@example.COM ', tags: 'Shop, nightly, shop', notes: 'a\r\nb' }
    expect(await upload(cells)).toMatchObject({ created: 1, failed: 0 })
    expect(await find()).toMatchObject({
      owner: { id: bea.id, name: 'Bea' },
      tags: ['Shop', 'nightly'],
      notes: 'a\nb',
    })
  })

  test('without these columns keeps them, and with blank cells removes them', async () => {
    const { type, name, upload, find } = await world()
    const id = await made(type.id, name)
    await ada.request('PUT', `${path}/${id}`, { owner_id: bea.id, tags: ['a'], notes: 'b' })
    expect(await upload({ chunk_size: '77' })).toMatchObject({ updated: 1, failed: 0 })
    expect(await find()).toMatchObject({ owner: { id: bea.id }, tags: ['a'], notes: 'b', chunk_size: 77 })
    expect(await upload({ owner: '', tags: '', notes: '' })).toMatchObject({ updated: 1, failed: 0 })
    expect(await find()).toMatchObject({ owner: null, tags: [], notes: '' })
  })

  test('is exported with them, protected from formulas, and imported again without a change', async () => {
    const { type, name, find } = await world()
    const id = await made(type.id, name)
    await ada.request('PUT', `${path}/${id}`, { owner_id: bea.id, tags: ['=1+1', 'two words'], notes: NOTES })
    const { body } = await ada.request('GET', exports)
    expect(body).toContain(',Bea@Example.com')
    expect(body).toContain('"\'=1+1, two words"')
    expect(body).toContain('"\'=HYPERLINK(""https://evil.example"")')
    const again = await uploadsTo(imports, app, ada).imported(body)
    expect(again).toMatchObject({ created: 0, updated: 0, failed: 0 })
    expect(await find()).toMatchObject({ tags: ['=1+1', 'two words'], notes: NOTES })
  })

  test.each([
    [
      'an unknown owner',
      { owner: 'nobody@example.com' },
      'owner',
      taskServerMessages.owner_unknown('nobody@example.com'),
    ],
    ['a long tag', { tags: 'x'.repeat(41) }, 'tags', fieldMessages.tag_long],
    ['long notes', { notes: 'x'.repeat(10_001) }, 'notes', fieldMessages.notes_long],
  ])('refuses a row with %s and names its column', async (_, cells, field, message) => {
    const { upload } = await world()
    const reply = await upload(cells)
    expect(reply).toMatchObject({ created: 0, failed: 1 })
    expect(JSON.stringify(reply.errors)).toContain(message)
    expect(reply.errors).toMatchObject([{ row: 2, field }])
  })

  test('keeps a disabled owner, but gives no task to one', async () => {
    const { type, name, upload, find } = await world()
    const gone = await aUser(app.db, { email: `gone-${serial}@example.com` })
    const id = await made(type.id, name)
    await ada.request('PUT', `${path}/${id}`, { owner_id: gone.id })
    await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', gone.id).execute()
    expect(await upload({ owner: gone.email, chunk_size: '78' })).toMatchObject({ updated: 1, failed: 0 })
    expect(await find()).toMatchObject({ owner: { id: gone.id }, chunk_size: 78 })
    const refused = await upload({ owner: gone.email }, `${name} anew`)
    expect(refused).toMatchObject({ created: 0, failed: 1 })
    expect(JSON.stringify(refused.errors)).toContain(taskServerMessages.owner_unknown(gone.email))
  })
})
