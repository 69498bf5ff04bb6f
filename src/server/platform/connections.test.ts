import { expect, test } from 'vitest'
import { connectionsOf } from './connections.ts'
import type { Role } from './environment.ts'

test.each<[Role[], number, object]>([
  [['api'], 10, { queries: 10, bulk: 1, queue: 0, listen: 1 }],
  [['api', 'scheduler'], 10, { queries: 10, bulk: 1, queue: 3, listen: 1 }],
  [['worker'], 10, { queries: 16, bulk: 11, queue: 3, listen: 1 }],
  [['worker'], 1, { queries: 7, bulk: 2, queue: 3, listen: 1 }],
  [['worker'], 100, { queries: 106, bulk: 101, queue: 3, listen: 1 }],
  [['api', 'worker', 'scheduler'], 20, { queries: 36, bulk: 21, queue: 3, listen: 1 }],
])(
  'a process with the roles %j and %d runs at a time opens as many connections as it can use',
  (roles, workerConcurrency, connections) => {
    expect(connectionsOf({ roles, workerConcurrency })).toEqual(connections)
  },
)
