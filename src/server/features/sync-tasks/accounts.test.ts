import { expect, test } from 'vitest'
import { aSpreadsheetId, aUser } from '../../../../test/factories.ts'
import { taskEditing } from '../../../../test/task-editing.ts'
import { messages } from '../../../contract/messages.ts'

const { app, ada, add, added } = await taskEditing()

const userId = async (email: string) => {
  const user = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return user.id
}

test('an account may be named only if it is the creator’s or its owner has opted in', async () => {
  await aUser(app.db, { email: 'Grace@Example.com', shares_grant: true })
  await aUser(app.db, { email: 'closed@example.com' })
  await aUser(app.db, { email: 'gone@example.com', shares_grant: true, disabled_at: new Date() })

  const task = await added({
    relevant_user_accounts: ['ADA@example.com', 'grace@example.com', 'grace@EXAMPLE.com'],
  })
  expect(task.relevant_user_accounts).toEqual(['ada@example.com', 'grace@example.com'])
  for (const email of ['closed@example.com', 'gone@example.com', 'nobody@example.com']) {
    const reply = await add({ relevant_user_accounts: [email] })
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'relevant_user_accounts'])
    expect(reply.json().message).toBe(messages.account_not_shared(email))
    const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { relevant_user_accounts: [email] })
    expect(edit.statusCode).toBe(400)
  }
})

test('nobody reads a colleague’s private sheets by naming them in the colleague’s task: it then runs with their own grant', async () => {
  const task = await added()
  const bob = await app.signIn('bob@example.com')
  const creator = async () =>
    (
      await app.db
        .selectFrom('tasks')
        .select('created_by')
        .where('id', '=', task.id)
        .executeTakeFirstOrThrow()
    ).created_by

  await bob.request('PUT', `/api/sync_tasks/${task.id}`, { ...task, start_row: 5 })
  expect(await creator()).toBe(await userId('ada@example.com'))
  const reply = await bob.request('PUT', `/api/sync_tasks/${task.id}`, { source_ss_id: aSpreadsheetId() })
  expect(reply.statusCode).toBe(200)
  expect(await creator()).toBe(await userId('bob@example.com'))
})
