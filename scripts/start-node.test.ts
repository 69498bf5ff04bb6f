import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testFolder } from '../test/fixtures/folders.ts'
import { isAlive, startNode as startTestNode, until } from '../test/processes/processes.ts'
import { startNode } from './start-node.ts'

it('ends the program gently', async () => {
  const file = join(await testFolder(), 'seen')
  const program = `process.on('SIGTERM', () => { fs.writeFileSync(process.env.FILE, 'SIGTERM'); process.exit(3) })
    setInterval(() => {}, 1000); fs.writeFileSync(process.env.FILE, 'up')`
  const running = await startNode(['--eval', program], { FILE: file })
  await until('it is up', async () => (await readFile(file, 'utf8').catch(() => '')) === 'up')
  await running.stop()
  expect(await running.ended).toBe('exit code 3')
  expect(await readFile(file, 'utf8')).toBe('SIGTERM')
})

it('ends the program when the process that started it is killed', async () => {
  const folder = await testFolder()
  await writeFile(
    join(folder, 'child.ts'),
    `console.log('child ' + process.pid); setInterval(() => {}, 1000)`,
  )
  const parent = startTestNode([
    '--input-type=module',
    '--eval',
    `import { startNode } from ${JSON.stringify(join(import.meta.dirname, 'start-node.ts'))}
     await startNode([${JSON.stringify(join(folder, 'child.ts'))}], {})`,
  ])
  const child = Number((await parent.printed(/child (\d+)/))[1])
  parent.kill('SIGKILL')
  await until('the child has ended', () => !isAlive(child))
})
