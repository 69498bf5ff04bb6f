import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../test/fixtures/app.ts'
import { copyWorld } from '../../test/fixtures/copy-world.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

const world = copyWorld()
let env: { ROWFERRY_URL: string; ROWFERRY_TOKEN: string }
beforeAll(async () => {
  const { app, signIn } = await testApp({ database: world.database, handlers: world.handlers })
  const ROWFERRY_TOKEN = await aToken(await signIn(), 'run')
  env = { ROWFERRY_URL: await app.listen({ host: '127.0.0.1', port: 0 }), ROWFERRY_TOKEN }
})
beforeEach(() => world.faults())

test('a change is undone from a shell: list, plan, write; what cannot be done says why', async () => {
  const { source, target, task } = await world.pair([
    ['SKU', 'Stock'],
    ['A', 1],
  ])
  const { run } = await commandLine()
  const shell = (line: string) => run(line, { env })
  expect((await shell(`versions ${task}`)).out).toMatch(/^No change of the target of \d+ is kept\.\n$/)
  expect(await shell(`undo ${task}`)).toMatchObject({
    exit: 5,
    err: expect.stringMatching(/nothing to undo/),
  })
  const { id } = await world.run(task)
  await world.write(source, 'Products!B2', [[2]])
  await world.run(task)
  await world.write(target, 'Shop!A2', [['B']])
  const listed = await shell(`versions ${task}`)
  expect(listed.out).toMatch(
    /VERSION +CHANGED +ROWS +CHANGE +STARTED BY +MB\n\d+ .* 1 cell changed, in 1 row/,
  )
  const { exit, out } = await shell(`undo ${task}`)
  expect(exit).toBe(0)
  expect(out).toMatch(/^Undoing run \d+ of .* would change in .*:\n/)
  expect(out).toContain('1 cell was edited since; it is kept: A2')
  const [, hash] = /--plan ([0-9a-f]{64})/.exec(out) ?? []
  expect(await shell(`run ${task} --plan ${hash} --wait`)).toMatchObject({ exit: 0 })
  expect((await world.values(target, 'Shop'))[1]).toEqual(['B', 1])
  expect((await shell(`restore ${task} ${id} --edits`)).out).toMatch(/^Restoring the version of run/)
  expect(await shell(`restore ${task} first`)).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/number of a run/),
  })
  expect((await shell(`restore ${task} 999999`)).exit).toBe(5)
})
