import { runSteps } from './run-steps.ts'

const passed = await runSteps(
  [
    { name: 'types (tsc)', command: ['node', 'node_modules/typescript-7/bin/tsc', '-b'] },
    { name: 'format and lint (Biome)', command: ['biome', 'ci', '--error-on-warnings', '.'] },
    { name: 'borders (dependency-cruiser)', command: ['node', 'scripts/check-borders.ts'] },
    { name: 'dead code (knip)', command: ['knip', '--no-progress'] },
    { name: 'structure', command: ['node', 'scripts/check-structure.ts'] },
  ],
  console.log,
)
process.exit(passed ? 0 : 1)
