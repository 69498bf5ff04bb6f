import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { z } from 'zod'

const FOLDERS = ['src', 'sandbox', 'scripts', 'test', 'bench']
// Detects a run that could not read TypeScript and therefore found no violations.
const MIN_MODULES = 100
const MIN_IMPORTS = 200

const Report = z.object({
  summary: z.object({
    totalCruised: z.number(),
    totalDependenciesCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
    ruleSetUsed: z.object({ forbidden: z.array(z.object({ name: z.string(), comment: z.string() })) }),
  }),
})

const folders = FOLDERS.filter((folder) => existsSync(folder))
const { stdout } = await promisify(execFile)(
  'depcruise',
  ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders],
  { maxBuffer: 256 * 1024 ** 2 },
)
const { totalCruised, totalDependenciesCruised, violations, ruleSetUsed } = Report.parse(
  JSON.parse(stdout),
).summary
for (const { from, to, rule } of violations) {
  console.log(`${from} → ${to}`)
  console.log(`  ${ruleSetUsed.forbidden.find(({ name }) => name === rule.name)?.comment} [${rule.name}]`)
}
if (totalCruised < MIN_MODULES || totalDependenciesCruised < MIN_IMPORTS) {
  console.log(
    `Only ${totalCruised} modules and ${totalDependenciesCruised} imports were seen: nothing is proved.`,
  )
  process.exit(1)
}
console.log(
  `${totalCruised} modules, ${totalDependenciesCruised} imports, ${violations.length} across a border`,
)
process.exit(violations.length ? 1 : 0)
