import { randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { accessToken, control, testSandbox } from '../../test/fakes/sandbox.ts'

const noise = randomBytes(300_000).toString('hex')

/** Creates a spreadsheet with this text in its first cells; returns the parameters of a raw request for it. */
async function filled(text: string) {
  const { root } = await testSandbox()
  const headers = { authorization: `Bearer ${await accessToken(root)}`, 'content-type': 'application/json' }
  const created = await fetch(`${root}/v4/spreadsheets`, { method: 'POST', headers })
  const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(await created.json())
  const values = text.match(/.{1,40000}/g)?.map((cell) => [cell]) ?? []
  const path = `/v4/spreadsheets/${spreadsheetId}/values/A1`
  const write = async () => {
    const start = performance.now()
    const body = JSON.stringify({ values })
    const reply = await fetch(`${root}${path}?valueInputOption=RAW`, { method: 'PUT', headers, body })
    expect(reply.status).toBe(200)
    return { ms: performance.now() - start, bytes: Buffer.byteLength(body) }
  }
  await write()
  const read = (encoding?: string) =>
    get(`${root}${path}:A100`, { ...headers, ...(encoding && { 'accept-encoding': encoding }) })
  return { root, write, read }
}

/** An encoded reply as received from the wire. `spreadMs`: time between its first and last byte. */
async function get(url: string, headers: Record<string, string>) {
  const start = performance.now()
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers }, resolve).on('error', reject).end()
  })
  const chunks: Buffer[] = []
  let first = 0
  for await (const chunk of reply) {
    first ||= performance.now()
    chunks.push(chunk)
  }
  const end = performance.now()
  return {
    body: Buffer.concat(chunks),
    coding: reply.headers['content-encoding'],
    ms: end - start,
    spreadMs: end - first,
  }
}

describe('a body', () => {
  test.each([
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['deflate', undefined],
    ['', undefined],
  ])('of a reply to a caller who takes "%s" is coded as %s', async (accepted, coding) => {
    const { read } = await filled('x'.repeat(200_000))
    const plain = await read()
    const reply = await read(accepted)
    expect(reply.coding).toBe(coding)
    expect(coding ? gunzipSync(reply.body) : reply.body).toEqual(plain.body)
    if (coding) expect(reply.body.length).toBeLessThan(plain.body.length / 10)
  })

  test('takes ms_per_mb in both directions and is sent over that whole time', async () => {
    const { root, write, read } = await filled(noise)
    await control(root, 'PUT', 'latency', { ms_per_mb: 1_000 })
    const up = await write()
    expect(up.ms).toBeGreaterThanOrEqual(up.bytes / 1_000)
    const down = await read()
    expect(down.ms).toBeGreaterThanOrEqual(down.body.length / 1_000)
    expect(down.spreadMs).toBeGreaterThan(down.body.length / 2_000)
  })

  test('is counted by its gzipped size', async () => {
    const { root, read } = await filled('x'.repeat(600_000))
    const plain = await read()
    // uncompressed, the transfer would exceed the test's timeout
    await control(root, 'PUT', 'latency', { ms_per_mb: 600_000 })
    const zipped = await read('gzip')
    expect(gunzipSync(zipped.body)).toEqual(plain.body)
  })

  test('is unlimited again after a reset', async () => {
    const { root, read } = await filled(noise)
    await control(root, 'PUT', 'latency', { ms_per_mb: 600_000 })
    await control(root, 'POST', 'reset')
    expect(await control(root, 'GET', 'latency')).toEqual({ ms: 0, jitter_ms: 0, ms_per_mb: 0 })
    expect((await read()).body.length).toBeGreaterThan(noise.length)
  })
})
