import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { MAIN_SPECS, SLOW_TESTS } from './slow-tests.ts'
import { buildWeb } from './web-build.ts'

const USAGE = `npm test                           the quick set: unit, HTTP, database, the main paths in the browser
npm test -- src/server/engine …    files and folders of either set, also test/e2e/….spec.ts
npm test -- --changed [base]       what the changes since base reach (default: since main, and on main the uncommitted ones)
npm run test:all                   everything but npm run faults
npm run test:all -- --rest         what npm test leaves out`

type Command = [program: 'vitest' | 'playwright', ...args: string[]]

const args = process.argv.slice(2)
const [option, ...others] = args
const commands = selected()
await buildWeb()
// What failed has to be the last that is printed.
for (const [program, ...rest] of commands) {
  const { status } = spawnSync(program, rest, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function selected(): Command[] {
  const slow = globSync(SLOW_TESTS)
  const rest = globSync('test/e2e/*.spec.ts').filter((spec) => !MAIN_SPECS.includes(spec))
  switch (option) {
    case undefined:
      return [['vitest', 'run', ...SLOW_TESTS.map((file) => `--exclude=${file}`)], browser(MAIN_SPECS)]
    case '--all':
      if (others.length === 0) return [['vitest', 'run'], browser([])]
      if (others.join() === '--rest') return [['vitest', 'run', ...slow], browser(rest)]
      break
    case '--changed':
      if (others.length < 2)
        return changed(others[0] ?? (git('branch', '--show-current') === 'main' ? 'HEAD' : 'main'))
      break
    default:
      if (!args.some((arg) => arg.startsWith('-'))) return chosen(args)
  }
  console.error(`Unknown arguments: ${args.join(' ')}\n\n${USAGE}`)
  process.exit(2)
}

function chosen(paths: string[]): Command[] {
  const isForBrowser = (path: string) => /^(\.\/)?test\/e2e(\/|$)/.test(path)
  const specs = paths.filter(isForBrowser)
  const tests = paths.filter((path) => !isForBrowser(path))
  return [
    ...(tests.length > 0 ? [['vitest', 'run', ...tests] satisfies Command] : []),
    ...(specs.length > 0 ? [browser(specs)] : []),
  ]
}

/** Vitest follows imports from the files that changed to the tests; the main paths in the browser run when the pages may look different. */
function changed(base: string): Command[] {
  const files = `${git('diff', '--name-only', `${base}...`)}\n${git('status', '--porcelain')}`
  const commands: Command[] = [['vitest', 'run', `--changed=${base}`]]
  if (/\bsrc\/(web|contract)\//.test(files)) commands.push(browser(MAIN_SPECS))
  else if (/\btest\/e2e\//.test(files))
    commands.push(['playwright', 'test', `--only-changed=${base}`, '--pass-with-no-tests'])
  return commands
}

const browser = (specs: readonly string[]): Command => ['playwright', 'test', ...specs]

function git(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout.trim()
}
