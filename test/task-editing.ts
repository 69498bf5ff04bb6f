import { expect } from 'vitest'
import { SyncTask } from '../src/contract/sync-tasks.ts'
import { testApp } from './app.ts'
import { aSyncTaskBody, aType } from './factories.ts'

/** An app in which Ada is signed in and adds tasks to one type, whose chunk size is 1500. */
export async function taskEditing() {
  const app = await testApp()
  const ada = await app.signIn('ada@example.com')
  const type = await aType(app.db, { chunk_size: 1500 })

  const add = (fields: object = {}) => ada.request('POST', '/api/sync_tasks', aSyncTaskBody(type.id, fields))

  async function added(fields: object = {}) {
    const reply = await add(fields)
    expect(reply.statusCode).toBe(201)
    return SyncTask.parse(reply.json())
  }

  const audited = (id: number) =>
    app.db
      .selectFrom('audit_log')
      .select(['actor', 'action', 'result'])
      .where('object_type', '=', 'sync_task')
      .where('object_id', '=', String(id))
      .orderBy('id')
      .execute()

  return { app, ada, type, add, added, audited }
}
