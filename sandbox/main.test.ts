import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accessToken, control } from '../test/fakes/sandbox.ts'
import { testFolder } from '../test/fixtures/folders.ts'
import { startNode, type TestProcess } from '../test/processes/processes.ts'

const main = join(import.meta.dirname, 'main.ts')

async function start(dataDir: string): Promise<{ process: TestProcess; root: string }> {
  const process = startNode([main], { DATA_DIR: dataDir, SANDBOX_PORT: '0', HOST: '127.0.0.1' })
  const [, root = ''] = await process.printed(/^Sandbox is ready at (http:\S+)$/m)
  return { process, root }
}

test('an acknowledged write and the accounts survive kill -9', async () => {
  const dataDir = await testFolder()
  const first = await start(dataDir)
  const token = await accessToken(first.root, 'dora@example.com')
  const send = async (root: string, method: string, path: string, body?: object) => {
    const response = await fetch(`${root}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(response.status).toBe(200)
    return response.json()
  }
  const { spreadsheetId } = await send(first.root, 'POST', '/v4/spreadsheets', {
    properties: { title: 'Kept' },
  })
  const cells = `/v4/spreadsheets/${spreadsheetId}/values/A1`
  for (let i = 0; i < 20; i += 1) {
    await send(first.root, 'PUT', `${cells}?valueInputOption=RAW`, { values: [[i]] })
  }
  await first.process.end('SIGKILL')

  const second = await start(dataDir)
  // The token is still valid after a restart of the process that issued it.
  expect(await send(second.root, 'GET', `${cells}?valueRenderOption=UNFORMATTED_VALUE`)).toMatchObject({
    values: [[19]],
  })
  expect(JSON.stringify(await control(second.root, 'GET', 'accounts'))).toContain('dora@example.com')
})

test('SIGTERM ends the sandbox with exit code 0 despite an open connection', async () => {
  const { process, root } = await start(await testFolder())
  const token = await accessToken(root)
  await control(root, 'PUT', 'faults', { faults: [{ kind: 'timeout' }] })
  const held = fetch(`${root}/v4/spreadsheets/x`, { headers: { authorization: `Bearer ${token}` } })
  const dropped = expect(held).rejects.toThrow()
  await expect.poll(() => control(root, 'GET', 'quotas')).toMatchObject({ use: { read: 1 } })
  expect(await process.end('SIGTERM')).toEqual({ code: 0, signal: null })
  await dropped
})

test('an invalid port is refused with the name of the variable', async () => {
  const process = startNode([main], { SANDBOX_PORT: 'many' })
  await process.printed(/SANDBOX_PORT/)
  expect(await process.ended).toEqual({ code: 1, signal: null })
})
