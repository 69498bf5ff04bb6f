import { test } from 'vitest'
import { soak } from './processes/soak.ts'

test('twenty tasks of all three categories outlive a killed worker, cut connections, trouble at Google and a killed api', async () => {
  const strikes = ['a worker is killed', 'connections are cut', 'Google is in trouble', 'the api is killed']
  await soak(15, { strikes })
})
