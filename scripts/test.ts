import { spawnSync } from 'node:child_process'
import { buildWeb } from './web-build.ts'

// Arguments narrow the run down to files and folders: those under test/e2e are for the browser, and only it needs the web built.
const selection = process.argv.slice(2)
const isForBrowser = (path: string) => /^(\.\/)?test\/e2e(\/|$)/.test(path)
const specs = selection.filter(isForBrowser)
const others = selection.filter((path) => !isForBrowser(path))

// What failed has to be the last that is printed.
const failed = selection.length && !others.length ? 0 : await vitest(others)
process.exit(failed || (selection.length && !specs.length) ? failed : await playwright(specs))

async function vitest(paths: string[]): Promise<number> {
  // Some of all the tests look at built pages.
  if (!paths.length) await buildWeb()
  return run('vitest', ['run', ...paths])
}

async function playwright(paths: string[]): Promise<number> {
  await buildWeb()
  return run('playwright', ['test', ...paths])
}

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1
}
