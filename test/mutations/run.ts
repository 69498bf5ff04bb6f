// Applies the mutations in test/mutations/ one at a time and runs the nearest tests, which must fail.
//   npm run mutations [-- part of a name …]
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import { findMutation, mutations } from './mutations.ts'

const chosen = process.argv.slice(2)
const planned = mutations.filter(
  ({ name }) => chosen.length === 0 || chosen.some((part) => name.includes(part)),
)
if (planned.length === 0) fail(`No mutation has ${chosen.join(' or ')} in its name.`)
// Check that all mutations can be applied first, because the tests take an hour.
const found = await Promise.all(
  planned.map(async (mutation) => ({ mutation, ...(await findMutation(mutation)) })),
)
const stale = found.flatMap(({ mutation, problem }) =>
  problem === null ? [] : [`${mutation.name}: ${problem}`],
)
if (stale.length > 0) fail(stale.join('\n'))

const survived: string[] = []
for (const { mutation, file, tests } of found) {
  const before = await readFile(file, 'utf8')
  const restore = () => writeFile(file, before)
  const interrupted = () => void restore().then(() => process.exit(130))
  process.once('SIGINT', interrupted)
  let output: string
  let status: number | null
  try {
    await writeFile(
      file,
      before.replace(mutation.find, () => mutation.replace),
    )
    const run = spawnSync('vitest', ['run', '--bail=1', ...tests], { encoding: 'utf8', timeout: 900_000 })
    output = stripVTControlCharacters(run.stdout + run.stderr)
    status = run.status
  } finally {
    await restore()
    process.off('SIGINT', interrupted)
  }
  const noticed = status !== 0 && /Tests .*failed/.test(output)
  if (status !== 0 && !noticed) fail(`${mutation.name}: the tests did not run.\n${output}`)
  if (!noticed) survived.push(mutation.name)
  const [, test = ''] = /FAIL\s+(\S+ > .*)/.exec(output) ?? []
  console.log(noticed ? `noticed   ${mutation.name}\n            ${test}` : `SURVIVED  ${mutation.name}`)
}
console.log(`\n${planned.length - survived.length} of ${planned.length} planted faults were noticed.`)
process.exit(survived.length === 0 ? 0 : 1)

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
