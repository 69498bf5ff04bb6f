import { test } from 'vitest'
import { soak } from '../processes/soak.ts'

const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000)
// An hour: SOAK_MINUTES=60 npm run faults -- test/faults/whole-soak.test.ts
const minutes = Number(process.env.SOAK_MINUTES ?? 4)

test(`twenty tasks of all three categories under random faults for ${minutes} minutes (SOAK_SEED=${seed})`, {
  timeout: minutes * 60_000 + 900_000,
}, async () => {
  console.log(`SOAK_SEED=${seed}`)
  await soak(seed, { milliseconds: minutes * 60_000 })
})
