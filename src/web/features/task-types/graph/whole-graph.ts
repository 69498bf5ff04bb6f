import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import {
  noTasks,
  type StateCounts,
  type TypeEdge,
  type TypeGraph,
  type TypeNode,
} from '../../../../contract/type-graph/calls.ts'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import { connectedParts } from './blocks.ts'
import { ranksOf } from './ranks.ts'

/** Types and edges; each cycle is a list of names that ends with its first name. */
export type ShownGraph = { nodes: TypeNode[]; edges: TypeEdge[]; cycles: string[][] }

/** The graph restricted to one category, or all of it. Edges to hidden types are dropped. */
export function ofCategory(
  { nodes, edges, cycles }: TypeGraph,
  category: TaskCategory | undefined,
): ShownGraph {
  const shown = nodes.filter(({ task_category }) => category === undefined || task_category === category)
  const byId = new Map(shown.map((node) => [node.id, node]))
  return {
    nodes: shown,
    edges: edges.filter(({ from, to }) => byId.has(from) && byId.has(to)),
    cycles: cycles
      .filter((cycle) => cycle.some((id) => byId.has(id)))
      .map((cycle) =>
        [...cycle, ...cycle.slice(0, 1)].map((id) => nodes.find((node) => node.id === id)?.name ?? '?'),
      ),
  }
}

// A graph of fewer cards is readable as it is, and so are a few types that could be a group.
const CARDS_UNFOLDED = 30
const GROUP_FROM = 4
// A chain has a first and a last type that stay visible, and at least so many in between.
const CHAIN_FROM = 6

/**
 * Types that are drawn as one card with this id, which is negative, unless it is unfolded: the middle of a chain, or types in the same
 * place of the pipeline, among which can be cards of chains.
 */
type TypeGroup = { id: number; key: string; members: TypeNode[] }

/** What can be folded: chains first, then places of the pipeline in what they leave. */
type Folding = { chains: TypeGroup[]; places: TypeGroup[] }

/** A graph with cards of groups; `sizes` has the number of types of each such card by its id. */
export type FoldedGraph = ShownGraph & { sizes: ReadonlyMap<number, number> }

type Edges = Pick<ShownGraph, 'nodes' | 'edges'>

const NONE: ReadonlySet<string> = new Set()

/** The groups of a graph. Their keys stay the same while types and dependencies do. */
export function foldingOf(graph: ShownGraph): Folding {
  const chains = chainsOf(graph)
  const { nodes, edges } = foldGraph(graph, { chains, places: [] }, NONE)
  return { chains, places: placesOf({ nodes, edges }, -1 - chains.length) }
}

/** Unbranched chains of types of one category, without their first and last types. A cycle has neither and is no chain. */
function chainsOf({ nodes, edges }: Edges): TypeGroup[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const following = Map.groupBy(edges, ({ from }) => from)
  const preceding = Map.groupBy(edges, ({ to }) => to)
  const next = ({ id, task_category }: TypeNode) => {
    const [edge, ...others] = following.get(id) ?? []
    if (!edge || others.length > 0 || preceding.get(edge.to)?.length !== 1) return undefined
    const type = byId.get(edge.to)
    return type?.task_category === task_category ? type : undefined
  }
  const continuing = new Set(nodes.map((node) => next(node)?.id))
  return nodes
    .filter(({ id }) => !continuing.has(id))
    .map((first) => {
      const chain: TypeNode[] = []
      for (let type: TypeNode | undefined = first; type; type = next(type)) chain.push(type)
      return chain.slice(1, -1)
    })
    .filter(({ length }) => length >= CHAIN_FROM)
    .map((members, index) => ({ id: -1 - index, key: `chain ${members[0]?.id}`, members }))
}

/**
 * Groups of a large graph: types of one category without dependencies; types of one rank in one connected part; and types of one rank
 * in all connected parts of the same shape, such as a hundred chains of three types.
 */
function placesOf({ nodes, edges }: Edges, firstId: number): TypeGroup[] {
  if (nodes.length <= CARDS_UNFOLDED) return []
  const { rankOf } = ranksOf(nodes, edges)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const placeOf = ({ id, task_category }: TypeNode) => `${task_category} ${rankOf.get(id) ?? 0}`
  const groups = new Map<string, TypeNode[]>()
  for (const part of connectedParts(nodes, edges)) {
    const types = part.flatMap((id) => byId.get(id) ?? [])
    const shape = shapeOf(types.map(placeOf))
    for (const type of types) {
      const key = types.length === 1 ? type.task_category : `${shape}: ${placeOf(type)}`
      groups.set(key, [...(groups.get(key) ?? []), type])
    }
  }
  return [...groups]
    .filter(([, types]) => types.length >= GROUP_FROM)
    .map(([key, members], index) => ({ id: firstId - index, key, members }))
}

const shapeOf = (places: readonly string[]) =>
  [...Map.groupBy(places, (place) => place)]
    .map(([place, { length }]) => `${length} × ${place}`)
    .sort()
    .join(', ')

/** The graph with a card for each group that is not unfolded. An arrow of a group needs success if one of its types does. */
export function foldGraph(
  graph: ShownGraph,
  { chains, places }: Folding,
  unfolded: ReadonlySet<string>,
): FoldedGraph {
  const sizes = new Map<number, number>()
  const inChains = fold(graph, chains, { unfolded, sizes, nameOf: chainName })
  return { ...fold(inChains, places, { unfolded, sizes, nameOf: placeName }), sizes }
}

/** Keys of the folded groups that a type or a card is in. */
export const keysAround = (id: number, { chains, places }: Folding): string[] =>
  [...chains, ...places]
    .filter(({ members }) => members.some((member) => member.id === id))
    .map(({ key }) => key)

type Members = [first: TypeNode, ...others: TypeNode[]]
type How = {
  unfolded: ReadonlySet<string>
  sizes: Map<number, number>
  nameOf: (members: Members) => string
}

function fold(graph: ShownGraph, groups: readonly TypeGroup[], { unfolded, sizes, nameOf }: How): ShownGraph {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]))
  const cardOf = new Map<number, number>()
  const cards: TypeNode[] = []
  for (const { id, key, members } of groups) {
    // The card of a chain that is unfolded is no member.
    const [first, ...others] = members.flatMap((member) => byId.get(member.id) ?? [])
    if (first === undefined || unfolded.has(key)) continue
    const types: Members = [first, ...others]
    for (const type of types) cardOf.set(type.id, id)
    cards.push(cardOfTypes(id, nameOf(types), types))
    sizes.set(
      id,
      types.reduce((sum, type) => sum + (sizes.get(type.id) ?? 1), 0),
    )
  }
  const edges = new Map<string, TypeEdge>()
  for (const edge of graph.edges) {
    const [from, to] = [cardOf.get(edge.from) ?? edge.from, cardOf.get(edge.to) ?? edge.to]
    const key = `${from} ${to}`
    const condition = edges.get(key)?.condition === 'success' ? 'success' : edge.condition
    if (from !== to) edges.set(key, { from, to, condition })
  }
  return {
    ...graph,
    nodes: [...graph.nodes.filter(({ id }) => !cardOf.has(id)), ...cards],
    edges: [...edges.values()],
  }
}

const chainName = (types: Members) =>
  graphMessages.chain(types.length, types[0].name, types.at(-1)?.name ?? '')

const placeName = ([first, ...others]: Members) =>
  others.length > 0 ? graphMessages.group(first.name, others.length) : first.name

const cardOfTypes = (id: number, name: string, types: Members): TypeNode => ({
  id,
  name,
  task_category: types[0].task_category,
  is_active: types.some(({ is_active }) => is_active),
  counts: types.reduce((sum, { counts }) => added(sum, counts), noTasks),
  ahead: [],
  unmet: [],
  queue: [],
})

const added = (one: StateCounts, other: StateCounts): StateCounts => ({
  queued: one.queued + other.queued,
  running: one.running + other.running,
  stopping: one.stopping + other.stopping,
  success: one.success + other.success,
  warning: one.warning + other.warning,
  failed: one.failed + other.failed,
  error: one.error + other.error,
  stopped: one.stopped + other.stopped,
  never_run: one.never_run + other.never_run,
})
