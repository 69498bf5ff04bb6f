import { useMemo } from 'react'
import type { TypeNode } from '../../../../contract/type-graph/calls.ts'
import { useTypeGraph } from '../graph/use-type-graph.ts'

/** Types with the live states of their tasks, by id; empty until they are loaded. */
export function useTypeNodes(): ReadonlyMap<number, TypeNode> {
  const { data } = useTypeGraph()
  return useMemo(() => new Map(data?.nodes.map((node) => [node.id, node])), [data])
}
