import { typeGraph } from '../../../contract/type-graph/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { readTypeGraph } from './queries/graph.ts'

/** Dependency graph of task types. */
export const typeGraphFeature: Feature<typeof typeGraph, { db: Db }> = {
  calls: typeGraph,
  handlers: {
    read: (_, { db }) => readTypeGraph(db),
  },
}
