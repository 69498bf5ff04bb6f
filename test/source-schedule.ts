import { testApp } from './app.ts'
import { addTasks, done, handlerOf } from './engine.ts'

export const BASE = '/api/source_schedule'

/** An app in which Ada calls the source schedule, and source tasks with a type of their own are added. */
export async function sourceScheduleWorld(handlers = [handlerOf(async () => done, { category: 'source' })]) {
  const app = await testApp({ handlers })
  const { db } = app
  const ada = await app.signIn()
  const get = async (path: string) => (await ada.request('GET', `${BASE}/${path}`)).json()
  const post = async (path: string, body?: object) =>
    (await ada.request('POST', `${BASE}/${path}`, body)).json()
  const sources = async (count: number, cron_schedule: string | null = null) => {
    const added = await addTasks(db, count, { name: 'Prices', category: 'source' })
    await db.updateTable('task_types').set({ cron_schedule }).where('id', '=', added.type_id).execute()
    return added
  }
  return { ...app, ada, get, post, sources }
}
