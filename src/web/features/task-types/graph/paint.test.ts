import { expect, test } from 'vitest'
import { noTasks } from '../../../../contract/type-graph/calls.ts'
import type { Ctx } from './canvas-context.ts'
import { layOut } from './layout.ts'
import { paint } from './paint.ts'
import { pathOf } from './paths.ts'
import { sceneOf } from './scene.ts'
import type { FoldedGraph } from './whole-graph.ts'

type Text = { text: string; alpha: number }
type Line = { points: [number, number][]; dashed: boolean; colour: Ctx['strokeStyle']; alpha: number }

/** A canvas context that records texts, lines and fills. */
function fakeContext() {
  const texts: Text[] = []
  const lines: Line[] = []
  const shapes: [number, number][][] = []
  let points: [number, number][] = []
  let dashed = false
  const ctx: Ctx = {
    fillStyle: '',
    strokeStyle: '',
    font: '',
    globalAlpha: 1,
    lineWidth: 1,
    textAlign: 'left',
    beginPath: () => {
      points = []
    },
    moveTo: (x, y) => void points.push([x, y]),
    lineTo: (x, y) => void points.push([x, y]),
    bezierCurveTo: (_a, _b, _c, _d, x, y) => void points.push([x, y]),
    fill: () => void shapes.push(points),
    stroke: () =>
      void (
        points.length > 0 && lines.push({ points, dashed, colour: ctx.strokeStyle, alpha: ctx.globalAlpha })
      ),
    fillText: (text) => void texts.push({ text, alpha: ctx.globalAlpha }),
    setLineDash: (dashes) => {
      dashed = [...dashes].length > 0
    },
    measureText: (text) => ({ width: 6 * text.length }),
    arc: () => {},
    restore: () => {},
    rotate: () => {},
    roundRect: () => {},
    save: () => {},
    strokeText: () => {},
    translate: () => {},
  }
  return { ctx, texts, lines, shapes }
}

const type = (id: number, name: string, task_category: 'source' | 'compiler' | 'sync') => ({
  id,
  name,
  task_category,
  is_active: true,
  counts: { ...noTasks, failed: id },
  ahead: [],
  unmet: [],
  queue: [],
})
const graph: FoldedGraph = {
  sizes: new Map(),
  nodes: [
    type(1, 'Prices', 'source'),
    type(2, 'Catalogue', 'compiler'),
    type(3, 'Shops', 'sync'),
    type(4, 'Alone', 'sync'),
  ],
  edges: [
    { from: 1, to: 2, condition: 'completion' },
    { from: 2, to: 3, condition: 'success' },
  ],
  cycles: [],
}
const everything = { x: -1e4, y: -1e4, width: 2e4, height: 2e4 }

function painted({ zoom = 1, down = false, pointed = null as number | null, rect = everything } = {}) {
  const layout = layOut({ ...graph, down })
  const recorded = fakeContext()
  const path = pointed === null ? null : pathOf(pointed, graph.edges)
  const colours = (variable: string) => variable
  paint(
    recorded.ctx,
    sceneOf(layout, graph, down),
    { path, selected: null },
    { rect, zoom, colours, font: 'serif' },
  )
  return { ...recorded, layout, labels: recorded.texts.map(({ text }) => text) }
}

test('a card shows category, name, tasks, failures and dependents; zoomed out only its name, and further out only its colours', () => {
  expect(painted().labels).toEqual(
    expect.arrayContaining(['Source', 'Prices', '1 task · 1 failing', '1', 'Shops', '3 tasks · 3 failing']),
  )
  const far = painted({ zoom: 0.4 }).labels
  expect(far).toEqual(expect.arrayContaining(['Prices', 'Catalogue', 'Shops']))
  expect(far).not.toContain('1 task · 1 failing')
  expect(painted({ zoom: 0.1 }).labels).not.toContain('Prices')
})

test.each([false, true])(
  'an arrow ends with its head at the type that waits, dashed where any status will do (down: %s)',
  (down) => {
    const { lines, shapes, layout } = painted({ down })
    for (const [index, { to, points }] of layout.arrows.entries()) {
      const end = points.at(-1)
      expect(lines[index]?.points.at(-1)).toEqual([end?.x, end?.y])
      expect(lines[index]?.dashed).toBe(to === 2)
      const [tip, ...corners] = shapes.find(([first]) => first?.[0] === end?.x && first?.[1] === end?.y) ?? []
      const along = down ? 1 : 0
      expect(corners).toHaveLength(2)
      for (const corner of corners) expect(corner[along]).toBeLessThan(tip?.[along] ?? Number.NaN)
    }
  },
)

test('types outside the path of the hovered type are dimmed; its arrows are highlighted and show their conditions', () => {
  const { texts, lines, labels } = painted({ pointed: 2 })
  const alpha = (name: string) => texts.find(({ text }) => text === name)?.alpha
  expect([alpha('Prices'), alpha('Catalogue'), alpha('Shops')]).toEqual([1, 1, 1])
  expect(alpha('Alone')).toBeLessThan(0.5)
  expect(lines.filter(({ colour }) => colour === 'accent')).toHaveLength(2)
  expect(labels).toEqual(expect.arrayContaining(['any status', 'success']))
})

test('cards outside the viewport are not drawn', () => {
  const [place] = painted().layout.places.filter(({ id }) => id === 4)
  const rect = { x: place?.x ?? 0, y: place?.y ?? 0, width: 10, height: 10 }
  const { labels } = painted({ rect })
  expect(labels).toContain('Alone')
  expect(labels).not.toContain('Catalogue')
})
