import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { MAIN_SPECS, SLOW_TESTS } from './slow-tests.ts'

export const USAGE = `npm test                          unit, HTTP, database, the main paths in the browser
npm test -- src/server/engine …   files and folders of any set, also test/e2e/….spec.ts
npm test -- --changed [base]      what the changes since base reach; by default since main, on main the uncommitted ones
npm run test:all                  everything but npm run faults
npm run test:all -- --rest        what npm test leaves out`

/** A program and its arguments. */
export type Command = ['vitest' | 'playwright', ...string[]]

/** Commands that run the selected tests; null if the arguments are invalid. */
export function commandsFor(args: readonly string[]): Command[] | null {
  const [option, ...others] = args
  switch (option) {
    case undefined:
      return [['vitest', 'run', ...SLOW_TESTS.map((file) => `--exclude=${file}`)], browser(MAIN_SPECS)]
    case '--all':
      if (others.length === 0) return [['vitest', 'run'], browser([])]
      return others.join() === '--rest' ? rest() : null
    case '--changed':
      return others.length < 2 ? changed(others[0] ?? defaultBase()) : null
    default:
      return args.some((arg) => arg.startsWith('-')) ? null : chosen(args)
  }
}

function browser(specs: readonly string[]): Command {
  return ['playwright', 'test', ...specs]
}

function rest(): Command[] {
  const specs = globSync('test/e2e/*.spec.ts').filter((spec) => !MAIN_SPECS.includes(spec))
  return [['vitest', 'run', ...globSync(SLOW_TESTS)], browser(specs)]
}

function chosen(paths: readonly string[]): Command[] {
  const isForBrowser = (path: string) => /^(\.\/)?test\/e2e(\/|$)/.test(path)
  const specs = paths.filter(isForBrowser)
  const tests = paths.filter((path) => !isForBrowser(path))
  const commands: Command[] = []
  if (tests.length > 0) commands.push(['vitest', 'run', ...tests])
  if (specs.length > 0) commands.push(browser(specs))
  return commands
}

/** Vitest runs the tests that import changed files. Browser tests of the main paths run if pages may have changed. */
function changed(base: string): Command[] {
  const files = `${git('diff', '--name-only', `${base}...`)}\n${git('status', '--porcelain')}`
  const commands: Command[] = [['vitest', 'run', `--changed=${base}`]]
  if (/\bsrc\/(web|contract)\//.test(files)) commands.push(browser(MAIN_SPECS))
  else if (/\btest\/e2e\//.test(files))
    commands.push(['playwright', 'test', `--only-changed=${base}`, '--pass-with-no-tests'])
  return commands
}

const defaultBase = () => (git('branch', '--show-current') === 'main' ? 'HEAD' : 'main')

function git(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout.trim()
}
