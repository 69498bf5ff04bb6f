import { spawnSync } from 'node:child_process'
import { commandsFor, USAGE } from './test-commands.ts'
import { buildWeb } from './web-build.ts'

const args = process.argv.slice(2)
const commands = commandsFor(args)
if (commands === null) {
  console.error(`Unknown arguments: ${args.join(' ')}\n\n${USAGE}`)
  process.exit(2)
}
// Browser tests open the built pages, and some other tests read them.
await buildWeb()
// Stops at the first program that fails, so that its output comes last.
for (const [program, ...rest] of commands) {
  const { status } = spawnSync(program, rest, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
