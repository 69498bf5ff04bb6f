import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { app, headers, serveBooks, uploadedTo } from '../../../../test/fixtures/books-app.ts'

serveBooks()

describe('an upload', () => {
  const form = (parts: [name: string, content: string | Blob, filename?: string][]) => {
    const data = new FormData()
    for (const [name, content, filename] of parts) {
      if (typeof content === 'string') data.append(name, content)
      else data.append(name, content, filename)
    }
    return data
  }
  const file = (content: string) => new Blob([content], { type: 'text/csv' })
  const send = async (data: FormData | string, more: Record<string, string> = {}) => {
    const encoded = new Response(data)
    const type = encoded.headers.get('content-type') ?? ''
    return app.inject({
      method: 'POST',
      url: '/api/books/import',
      headers: { ...headers, 'content-type': type, ...more },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
  }

  test('arrives completely with its options in any order, and leaves no file', async () => {
    const response = await send(
      form([
        ['file', file('a,b\n1,2'), '../../x.csv'],
        ['overwrite', 'true'],
      ]),
    )
    expect(response.json()).toEqual({ filename: 'x.csv', bytes: 7, content: 'a,b\n1,2', overwrite: 'true' })
    await expect.poll(() => uploadedTo && existsSync(uploadedTo)).toBe(false)
  })

  const refused: [what: string, data: FormData | string, status: number, message: string, type?: string][] = [
    [
      'over the limit',
      form([
        ['overwrite', 'true'],
        ['file', file('x'.repeat(1001)), 'x.csv'],
      ]),
      413,
      'The file is too large.',
    ],
    [
      'far over the limit',
      form([['file', file('x'.repeat(3_000_000)), 'x.csv']]),
      413,
      'The file is too large.',
    ],
    ['without a file', form([['overwrite', 'true']]), 400, 'Choose a file to upload.'],
    [
      'of two files',
      form([
        ['file', file('1'), '1'],
        ['file', file('2'), '2'],
      ]),
      400,
      'Upload one file at a time.',
    ],
    [
      'of three files',
      form([
        ['file', file('1'), '1'],
        ['file', file('2'), '2'],
        ['file', file('3'), '3'],
      ]),
      400,
      'Upload one file at a time.',
    ],
    [
      'under another name',
      form([
        ['data', file('1'), '1'],
        ['overwrite', 'true'],
      ]),
      400,
      'Unknown field: data',
    ],
    [
      'with an unknown option',
      form([
        ['file', file('1'), '1'],
        ['overwrite', 'true'],
        ['x', '1'],
      ]),
      400,
      'Unknown field: x',
    ],
    [
      'with an option twice',
      form([
        ['file', file('1'), '1'],
        ['overwrite', 'true'],
        ['overwrite', 'true'],
      ]),
      400,
      'overwrite must be one of',
    ],
    ['without its option', form([['file', file('1'), '1']]), 400, 'overwrite is required'],
    [
      'with NUL in an option',
      form([
        ['file', file('1'), '1'],
        ['overwrite', 'tr\0ue'],
      ]),
      400,
      'NUL',
    ],
    ['that is JSON', '{}', 415, 'The request must be a form with a file.', 'application/json'],
    ['without a boundary', 'x', 400, 'The upload ended early or is not valid.', 'multipart/form-data'],
    [
      'that is cut',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
      'The upload ended early or is not valid.',
      'multipart/form-data; boundary=x',
    ],
  ]
  test.each(refused)('%s is refused', async (_what, data, status, message, type) => {
    const response = await send(data, type ? { 'content-type': type } : {})
    expect(response.json().message).toContain(message)
    expect(response.statusCode).toBe(status)
    expect(uploadedTo).toBeUndefined()
  })
})
