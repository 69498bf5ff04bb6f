import { expect } from 'vitest'
import { sourceTaskTypes, TaskType } from '../src/contract/task-types.ts'
import type { SignedIn } from './app.ts'

export const SYNC = '/api/sync_task_types'
export const SOURCE = '/api/source_task_types'
export const UNIFIED = '/api/unified_task_types'

let serial = 0

/** What a person does with task types of any category, by the path of its calls. */
export const taskTypesOf = (person: SignedIn) => ({
  added: async (path: string, fields: object = {}): Promise<TaskType> => {
    serial += 1
    const reply = await person.request('POST', path, { name: `Of a category ${serial}`, ...fields })
    expect([reply.statusCode, reply.json()]).toEqual([201, expect.anything()])
    return TaskType.parse(reply.json())
  },
  listed: async (path: string) =>
    sourceTaskTypes.list.reply.parse((await person.request('GET', path)).json()),
  refusal: async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => {
    const reply = await person.request(method, path, body)
    return [reply.statusCode, reply.json().field, reply.json().message]
  },
})
