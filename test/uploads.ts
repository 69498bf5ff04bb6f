import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'
import { ImportReply } from '../src/contract/csv-jobs.ts'
import type { SignedIn, TestApp } from './app.ts'
import { form, formType, type Part } from './form.ts'

/** Sends files to the address of an import, as a page does. */
export function uploadsTo(url: string, { app }: TestApp, { headers }: SignedIn) {
  const send = (payload: Buffer, more: InjectOptions['headers'] = {}) =>
    app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': formType, ...more }, payload })
  const upload = (content: string | Buffer, part: Omit<Part, 'content'> = {}) =>
    send(form({ content, ...part }))
  return {
    send,
    upload,
    /** The reply to a file that is taken. */
    imported: async (content: string): Promise<ImportReply> => {
      const reply = await upload(content)
      expect(reply.statusCode, reply.body).toBe(200)
      return ImportReply.parse(reply.json())
    },
  }
}
