import { test } from 'vitest'
import { soak } from './processes/soak.ts'

test('twenty tasks of all three categories survive a killed worker, cut connections, errors of Google and a killed api', async () => {
  const faults = ['a worker is killed', 'connections are cut', 'Google is in trouble', 'the api is killed']
  await soak(15, { faults })
})
