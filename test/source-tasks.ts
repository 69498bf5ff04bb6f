import { expect } from 'vitest'
import { sourceTasks } from '../src/contract/source-tasks.ts'
import type { SignedIn, TestApp } from './app.ts'
import { aSpreadsheetId } from './factories.ts'

let serial = 0

/** The body of a POST that adds a source task on a sheet of its own. */
export const aSourceTaskBody = (fields: object = {}) => {
  serial += 1
  return {
    name: `Catalogue ${serial}`,
    source_type: 'sheet',
    spreadsheet_id: aSpreadsheetId(),
    sheet_name: 'Products',
    ...fields,
  }
}

/** A connection that reaches nothing. */
export const aConnection = async ({ db }: TestApp, fields: { name: string; kind?: 'api' | 'database' }) =>
  db
    .insertInto('connections')
    .values({ kind: 'api', settings: '{}', ...fields })
    .returning('id')
    .executeTakeFirstOrThrow()

/** What a person does with source tasks over HTTP, each reply parsed. */
export function sourceTasksOf(person: SignedIn) {
  const path = (id: number, rest = '') => `/api/source_tasks/${id}${rest}`
  const reply = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => {
    const { statusCode, body: text } = await person.request(method, url, body)
    return [statusCode, text === '' ? null : JSON.parse(text)]
  }
  return {
    reply,
    /** Status and body, for what may be refused. */
    post: (body: object) => reply('POST', '/api/source_tasks', body),
    put: (id: number, body: object) => reply('PUT', path(id), body),
    add: async (fields: object = {}) => {
      const [status, body] = await reply('POST', '/api/source_tasks', aSourceTaskBody(fields))
      expect(status, JSON.stringify(body)).toBe(201)
      return sourceTasks.create.reply.parse(body)
    },
    change: async (id: number, fields: object) => {
      const [status, body] = await reply('PUT', path(id), fields)
      expect(status, JSON.stringify(body)).toBe(200)
      return sourceTasks.update.reply.parse(body)
    },
    get: async (id: number) => sourceTasks.get.reply.parse((await reply('GET', path(id)))[1]),
    list: async (query = '') =>
      sourceTasks.list.reply.parse((await reply('GET', `/api/source_tasks${query}`))[1]),
    remove: (id: number) => reply('DELETE', path(id)),
  }
}

/** What was done since the last `begin`, as the audit log tells it, which nobody can empty. */
export function auditTrail(db: () => TestApp['db']) {
  let since = '0'
  return {
    begin: async () => {
      const last = await db().selectFrom('audit_log').select('id').orderBy('id', 'desc').limit(1).execute()
      since = last[0]?.id ?? '0'
    },
    entries: async () => {
      const entries = await db()
        .selectFrom('audit_log')
        .select(['action', 'object_type', 'object_id'])
        .where('id', '>', since)
        .orderBy('id')
        .execute()
      return entries.map(({ action, object_type, object_id }) => `${action} ${object_type} ${object_id}`)
    },
  }
}
