import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSourceTask, aSyncTask, aUser } from '../../../../test/fixtures/factories.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

const app = await testApp()
const ada = await app.signIn()
const owner = await aUser(app.db, { name: 'Bea Owner' })

const paths = {
  sync: async () => `/api/sync_tasks/${(await aSyncTask(app.db)).id}`,
  source: async () => `/api/source_tasks/${(await aSourceTask(app.db)).id}`,
}
const category = describe.each(['sync', 'source'] as const)

category('a %s task', (name) => {
  test('has nobody as owner, no tags and no notes unless they are given', async () => {
    const task = (await ada.request('GET', await paths[name]())).json()
    expect(task).toMatchObject({ owner: null, tags: [], has_notes: false, notes: '' })
  })

  test('shows its owner by name, its tags, and that it has notes; the whole task has them', async () => {
    const path = await paths[name]()
    const body = { owner_id: owner.id, tags: ['Shop', 'nightly'], notes: '# Mondays\n\nAsk Bea.' }
    const saved = await ada.request('PUT', path, body)
    expect(saved.statusCode, saved.body).toBe(200)
    const shown = { owner: { id: owner.id, name: 'Bea Owner' }, tags: ['Shop', 'nightly'], has_notes: true }
    expect(saved.json()).toMatchObject(shown)
    expect((await ada.request('GET', path)).json()).toMatchObject({ ...shown, notes: body.notes })
    const none = await ada.request('PUT', path, { owner_id: null, tags: [], notes: '' })
    expect(none.json()).toMatchObject({ owner: null, tags: [], has_notes: false })
  })

  test('may be sent back as it was read', async () => {
    const path = await paths[name]()
    await ada.request('PUT', path, { owner_id: owner.id, tags: ['a'], notes: 'b' })
    const read = (await ada.request('GET', path)).json()
    const { updated_at: _, ...rest } = (await ada.request('PUT', path, read)).json()
    expect({ ...read, ...rest }).toMatchObject({ owner: read.owner, tags: ['a'], notes: 'b' })
  })

  test('can get an owner, tags and notes while it runs, but no other name', async () => {
    const path = await paths[name]()
    await aRun(app.db, Number(path.split('/').at(-1)), { state: 'running' })
    expect((await ada.request('PUT', path, { tags: ['late'], notes: 'x' })).statusCode).toBe(200)
    const refused = await ada.request('PUT', path, { tags: ['later'], name: 'Other' })
    expect(refused.json()).toMatchObject({ code: 'live_edit', message: taskMessages.live_edit })
    expect((await ada.request('GET', path)).json().tags).toEqual(['late'])
  })

  test('of two edits of the same notes the second is refused', async () => {
    const path = await paths[name]()
    const { updated_at } = (await ada.request('GET', path)).json()
    const edits = ['one', 'other'].map((notes) => ada.request('PUT', path, { updated_at, notes }))
    const replies = await Promise.all(edits)
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(replies.find(({ statusCode }) => statusCode === 409)?.json().message).toBe(
      frameMessages.stale_update,
    )
  })

  test('cannot be given to an unknown or disabled user, but keeps an owner who is disabled later', async () => {
    const path = await paths[name]()
    const leaving = await aUser(app.db)
    expect((await ada.request('PUT', path, { owner_id: leaving.id })).statusCode).toBe(200)
    await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', leaving.id).execute()
    expect((await ada.request('PUT', path, { owner_id: leaving.id, tags: ['x'] })).statusCode).toBe(200)
    for (const id of [leaving.id, 2_000_000_000]) {
      const other = await paths[name]()
      const refused = await ada.request('PUT', other, { owner_id: id })
      expect(refused.json()).toMatchObject({
        code: 'owner_gone',
        field: 'owner_id',
        message: taskServerMessages.owner_unknown(id === leaving.id ? leaving.email : String(id)),
      })
    }
  })

  test('belongs to nobody once its owner is deleted', async () => {
    const path = await paths[name]()
    const leaving = await aUser(app.db)
    await ada.request('PUT', path, { owner_id: leaving.id })
    await app.db.deleteFrom('users').where('id', '=', leaving.id).execute()
    expect((await ada.request('GET', path)).json().owner).toBeNull()
  })
})

describe('tags', () => {
  test('are trimmed and distinct without regard to case; the first spelling counts', async () => {
    const path = await paths.sync()
    const reply = await ada.request('PUT', path, { tags: [' Shop ', 'shop', 'two  words', 'SHOP'] })
    expect(reply.json().tags).toEqual(['Shop', 'two words'])
  })

  test.each([
    ['blank', [' '], fieldMessages.tag_required],
    ['too long', ['x'.repeat(41)], fieldMessages.tag_long],
    ['with a comma', ['a,b'], fieldMessages.tag_characters],
    ['with an invisible character', ['a\u202eb'], fieldMessages.tag_characters],
    ['too many', Array.from({ length: 21 }, (_, n) => `tag ${n}`), fieldMessages.tags_many],
  ])('%s are refused', async (_, tags, message) => {
    const refused = await ada.request('PUT', await paths.source(), { tags })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain(message)
  })
})

test('notes have at most 10,000 characters and no control characters', async () => {
  const path = await paths.sync()
  for (const [notes, message] of [
    ['x'.repeat(10_001), fieldMessages.notes_long],
    ['a\u0007b', fieldMessages.text_control],
  ]) {
    const refused = await ada.request('PUT', path, { notes })
    expect(refused.json()).toMatchObject({ field: 'notes', message })
  }
  expect((await ada.request('PUT', path, { notes: 'x'.repeat(10_000) })).statusCode).toBe(200)
})

test('a change of notes keeps the unowned cells that the last run found', async () => {
  const task = await aSyncTask(app.db)
  const foreign = { columns: ['Cost'], cells: 2, hash: 'abc' }
  await app.db
    .updateTable('sync_tasks')
    .set({ foreign_cells: JSON.stringify(foreign) })
    .where('task_id', '=', task.id)
    .execute()
  await ada.request('PUT', `/api/sync_tasks/${task.id}`, { notes: 'These are ours.' })
  const { foreign_cells } = await app.db
    .selectFrom('sync_tasks')
    .select('foreign_cells')
    .where('task_id', '=', task.id)
    .executeTakeFirstOrThrow()
  expect(foreign_cells).toEqual(foreign)
})

test('a compiler configuration has an owner, tags and notes, too', async () => {
  const source = await aSourceTask(app.db)
  const body = { name: 'Owned', source_task_ids: [source.id], master_source_id: source.id }
  const made = (await ada.request('POST', '/api/compiler/configs', { ...body, owner_id: owner.id })).json()
  expect(made).toMatchObject({ owner: { id: owner.id }, tags: [], notes: '' })
  const edit = { tags: ['Shop'], notes: 'Merged on Mondays', owner_id: null }
  const edited = await ada.request('PUT', `/api/compiler/configs/${made.id}`, edit)
  expect(edited.json()).toMatchObject({ owner: null, tags: ['Shop'], notes: edit.notes, has_notes: true })
  const refused = await ada.request('PUT', `/api/compiler/configs/${made.id}`, { owner_id: 2_000_000_000 })
  expect(refused.json()).toMatchObject({ code: 'owner_gone', field: 'owner_id' })
})
