import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { bulkCall, outcomesOf, sendBulk, undoBulk } from '../../../../test/fixtures/bulk.ts'
import { aRun, aSourceTask, aTaskOfTab, aUser } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { bulkServerMessages as messages } from '../../../contract/bulk/server-messages.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

const ownershipOf = (id: number) =>
  app.db.selectFrom('tasks').select(['owner_id', 'tags']).where('id', '=', id).executeTakeFirstOrThrow()

test('change_owner gives tasks of both categories to a user, running ones too, and its undo gives them back', async () => {
  const bea = await aUser(app.db, { name: 'Bea' })
  const former = await aUser(app.db)
  const [one, live, same] = [
    await aTaskOfTab(app.db, { name: 'One', owner_id: former.id }),
    await aSourceTask(app.db, { name: 'Live' }),
    await aTaskOfTab(app.db, { name: 'Same', owner_id: bea.id }),
  ]
  await aRun(app.db, live.id, { category: 'source', state: 'running' })
  const ids = [one.id, live.id, same.id]
  const reply = await bulkCall(app, ada, { action: 'change_owner', ids, owner_id: bea.id })
  expect(outcomesOf(reply)).toEqual([
    ['One', 'done', messages.owner_changed('One', 'Bea')],
    ['Live', 'done', messages.owner_changed('Live', 'Bea')],
    ['Same', 'skipped', messages.owner_same('Same')],
  ])
  expect([(await ownershipOf(one.id)).owner_id, (await ownershipOf(live.id)).owner_id]).toEqual([
    bea.id,
    bea.id,
  ])
  const undone = (await undoBulk(ada, reply.bulk_id)).json()
  expect(outcomesOf(undone)).toEqual([
    ['One', 'done', messages.restored('One')],
    ['Live', 'done', messages.restored('Live')],
  ])
  expect([(await ownershipOf(one.id)).owner_id, (await ownershipOf(live.id)).owner_id]).toEqual([
    former.id,
    null,
  ])
  const none = await bulkCall(app, ada, { action: 'change_owner', ids: [one.id], owner_id: null })
  expect(outcomesOf(none)).toEqual([['One', 'done', messages.owner_removed('One')]])
})

test('a former owner who was deleted meanwhile is nobody after the undo', async () => {
  const leaving = await aUser(app.db)
  const task = await aTaskOfTab(app.db, { owner_id: leaving.id })
  const { bulk_id } = await bulkCall(app, ada, { action: 'change_owner', ids: [task.id], owner_id: null })
  await app.db.deleteFrom('users').where('id', '=', leaving.id).execute()
  expect((await undoBulk(ada, bulk_id)).json().counts).toMatchObject({ done: 1 })
  expect((await ownershipOf(task.id)).owner_id).toBeNull()
})

test('change_owner to an unknown user is refused by field', async () => {
  const task = await aTaskOfTab(app.db)
  const reply = await sendBulk(app, ada, { action: 'change_owner', ids: [task.id], owner_id: 2_000_000_000 })
  expect(reply.json()).toMatchObject({
    code: 'owner_gone',
    field: 'owner_id',
    message: taskServerMessages.owner_unknown('2000000000'),
  })
})

test('add_tag and remove_tag compare tags without case, keep the order of the others, and can be undone', async () => {
  const [none, has, full] = [
    await aTaskOfTab(app.db, { name: 'None' }),
    await aSourceTask(app.db, { name: 'Has', tags: ['a', 'SHOP', 'b'] }),
    await aTaskOfTab(app.db, { name: 'Full', tags: Array.from({ length: 20 }, (_, n) => `tag ${n}`) }),
  ]
  const ids = [none.id, has.id, full.id]
  const added = await bulkCall(app, ada, { action: 'add_tag', ids, tag: ' Shop ' })
  expect(outcomesOf(added)).toEqual([
    ['None', 'done', messages.tag_added('None', 'Shop')],
    ['Has', 'skipped', messages.tag_present('Has')],
    ['Full', 'refused', fieldMessages.tags_many],
  ])
  const removed = await bulkCall(app, ada, { action: 'remove_tag', ids, tag: 'shop' })
  expect(outcomesOf(removed)).toEqual([
    ['None', 'done', messages.tag_removed('None', 'shop')],
    ['Has', 'done', messages.tag_removed('Has', 'shop')],
    ['Full', 'skipped', messages.tag_absent('Full')],
  ])
  expect([(await ownershipOf(none.id)).tags, (await ownershipOf(has.id)).tags]).toEqual([[], ['a', 'b']])
  await undoBulk(ada, removed.bulk_id)
  expect([(await ownershipOf(none.id)).tags, (await ownershipOf(has.id)).tags]).toEqual([
    ['Shop'],
    ['a', 'SHOP', 'b'],
  ])
})

test('a token that may only run changes neither owners nor tags', async () => {
  const task = await aTaskOfTab(app.db)
  const run = withToken(app.app, await aToken(ada, 'run'))
  for (const body of [
    { action: 'change_owner', owner_id: null },
    { action: 'add_tag', tag: 'a' },
    { action: 'remove_tag', tag: 'a' },
  ]) {
    const reply = await run('POST', '/api/tasks/bulk', { ...body, ids: [task.id] })
    expect(reply.statusCode, reply.body).toBe(403)
  }
})
