import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAIN_SPECS } from './slow-tests.ts'
import { commandsFor } from './test-commands.ts'

test('npm test and the rest of npm run test:all run each browser spec once, and each slow file in the rest alone', () => {
  const [, main] = commandsFor([]) ?? []
  const [slow, others] = commandsFor(['--all', '--rest']) ?? []
  const specs = [...(main ?? []), ...(others ?? [])].filter((arg) => arg.endsWith('.spec.ts'))
  expect(specs.sort()).toEqual(globSync('test/e2e/*.spec.ts').sort())
  expect(main).toEqual(['playwright', 'test', ...MAIN_SPECS])
  expect(slow).toContain('test/soak.test.ts')
  expect(commandsFor([])?.[0]).toContain('--exclude=test/soak.test.ts')
})

test('paths select Vitest or the browser tests by folder, regardless of their set', () => {
  expect(commandsFor(['src/server/engine', './test/e2e/axe.spec.ts', 'test/soak.test.ts'])).toEqual([
    ['vitest', 'run', 'src/server/engine', 'test/soak.test.ts'],
    ['playwright', 'test', './test/e2e/axe.spec.ts'],
  ])
})

test('--changed passes its base to Vitest', () => {
  expect(commandsFor(['--changed', 'HEAD'])?.[0]).toEqual(['vitest', 'run', '--changed=HEAD'])
})

test.each([['--everything'], ['--all', '--others'], ['--changed', 'a', 'b'], ['src', '--rest']])(
  'an option that does not exist is refused: %s %s',
  (...args) => {
    expect(commandsFor(args)).toBeNull()
  },
)
