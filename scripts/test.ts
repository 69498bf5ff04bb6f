import { spawnSync } from 'node:child_process'
import { buildWeb } from './web-build.ts'

// Arguments narrow the run down: `npm test -- src/server/engine` runs the tests of that folder and no browser.
const selection = process.argv.slice(2)

await buildWeb()
const unit = run('vitest', ['run', ...selection])
const browser = selection.length ? 0 : run('playwright', ['test'])
process.exit(unit || browser)

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1
}
