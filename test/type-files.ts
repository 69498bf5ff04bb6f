import { beforeAll, beforeEach, expect } from 'vitest'
import { type CsvJob, csvJobs } from '../src/contract/csv-jobs.ts'
import { ImportStarted } from '../src/contract/task-type-files.ts'
import { type SignedIn, type TestApp, testApp } from './app.ts'
import { form, formType, type Part } from './form.ts'
import { until } from './processes.ts'

type Category = 'sync' | 'source'
type Type = { id: number; name: string; depends_on_name: string | null } & Record<string, unknown>

const pathOf = (category: Category) => `/api/${category}_task_types`

/** The columns that a file of source types must have. */
export const SOURCE = 'name,group_name,description'

/** The text of a file. */
export const file = (header: string, ...rows: string[]) => [header, ...rows, ''].join('\n')

/** The part of a form that sets an option. */
export const option = (name: string, value: string) =>
  Buffer.from(`--border\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)

/** An app whose files of types Ada imports and exports; each test begins without any type. */
export function typeFiles() {
  let site: TestApp
  let ada: SignedIn

  beforeAll(async () => {
    site = await testApp({ now: () => new Date('2026-11-22T03:04:05Z') })
    ada = await site.signIn()
  })

  beforeEach(async () => {
    await site.db.deleteFrom('task_type_dependencies').execute()
    await site.db.deleteFrom('task_types').execute()
  })

  const send = (category: Category, payload: Buffer, headers: Record<string, string> = {}) =>
    site.app.inject({
      method: 'POST',
      url: `${pathOf(category)}/import_csv`,
      headers: { ...ada.headers, 'content-type': formType, ...headers },
      payload,
    })
  const typesOf = async (category: Category): Promise<Type[]> => (await get(pathOf(category))).json()
  const get = (path: string) => ada.request('GET', path)

  return {
    site: () => site,
    get,
    send,
    upload: (category: Category, content: string | Buffer, part: Omit<Part, 'content'> = {}) =>
      send(category, form({ content, ...part })),
    typesOf,
    typeOf: async (category: Category, name: string) =>
      (await typesOf(category)).find((type) => type.name === name),

    /** The job of an import, once it has ended. */
    imported: async (
      category: Category,
      content: string,
      options: Record<string, boolean> = {},
    ): Promise<CsvJob> => {
      const fields = Object.entries(options).map(([name, on]) => option(name, String(on)))
      const reply = await send(category, Buffer.concat([...fields, form({ content })]))
      expect(reply.statusCode, reply.body).toBe(202)
      const { job_id, message } = ImportStarted.parse(reply.json())
      expect(message).toBe(`Import started successfully! Job ID: ${job_id}. Check job status below.`)
      let job: CsvJob | undefined
      await until('the job has ended', async () => {
        job = csvJobs.get.reply.parse((await get(`/api/csv_jobs/${job_id}`)).json())
        return job.status === 'completed' || job.status === 'failed'
      })
      if (!job) throw new Error('There is no job')
      return job
    },

    exported: async (category: Category): Promise<string> => {
      const reply = await get(`${pathOf(category)}/export_csv`)
      expect(reply.statusCode).toBe(200)
      return reply.body
    },

    added: async (category: Category, body: object): Promise<Type> => {
      const reply = await ada.request('POST', pathOf(category), body)
      expect(reply.statusCode, reply.body).toBe(201)
      return reply.json()
    },
  }
}
