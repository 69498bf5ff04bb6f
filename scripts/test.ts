import { spawnSync } from 'node:child_process'
import { buildWeb } from './web-build.ts'

// Arguments narrow the run down: `npm test -- src/server/engine` runs the tests of that folder and no browser.
const selection = process.argv.slice(2)

await buildWeb()
const failed = run('vitest', ['run', ...selection])
// What failed has to be the last that is printed.
process.exit(failed || selection.length ? failed : run('playwright', ['test']))

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1
}
