import { expect, test } from 'vitest'
import { noTasks } from '../../../../contract/type-graph/calls.ts'
import type { Ctx } from './canvas-context.ts'
import { layOut } from './layout.ts'
import { paint } from './paint.ts'
import { pathOf } from './paths.ts'
import { sceneOf } from './scene.ts'
import type { ShownGraph } from './whole-graph.ts'

type Text = { text: string; alpha: number }
type Line = { points: [number, number][]; dashed: boolean; colour: Ctx['strokeStyle']; alpha: number }

/** A pen that keeps what was written, which lines were drawn and which shapes filled. */
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
const graph: ShownGraph = {
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
  const layout = layOut({ ...graph, down, window: { width: 1200, height: 800 } })
  const kept = fakeContext()
  const path = pointed === null ? null : pathOf(pointed, graph.edges)
  const colours = (variable: string) => variable
  paint(
    kept.ctx,
    sceneOf(layout, graph, down),
    { path, selected: null },
    { rect, zoom, colours, font: 'serif' },
  )
  return { ...kept, layout, labels: kept.texts.map(({ text }) => text) }
}

test('a card says category, name, state and how many depend on it; from afar its name; from very far its colours alone', () => {
  expect(painted().labels).toEqual(
    expect.arrayContaining(['Source', 'Prices', '1 Failed', '1', 'Shops', '3 Failed']),
  )
  const far = painted({ zoom: 0.4 }).labels
  expect(far).toEqual(expect.arrayContaining(['Prices', 'Catalogue', 'Shops']))
  expect(far).not.toContain('1 Failed')
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

test('what is not on the path of the type that is pointed at steps back; its arrows stand out, with their conditions', () => {
  const { texts, lines, labels } = painted({ pointed: 2 })
  const alpha = (name: string) => texts.find(({ text }) => text === name)?.alpha
  expect([alpha('Prices'), alpha('Catalogue'), alpha('Shops')]).toEqual([1, 1, 1])
  expect(alpha('Alone')).toBeLessThan(0.5)
  expect(lines.filter(({ colour }) => colour === 'accent')).toHaveLength(2)
  expect(labels).toEqual(expect.arrayContaining(['any status', 'success']))
})

test('what is out of sight is not painted', () => {
  const [place] = painted().layout.places.filter(({ id }) => id === 4)
  const rect = { x: place?.x ?? 0, y: place?.y ?? 0, width: 10, height: 10 }
  const { labels } = painted({ rect })
  expect(labels).toContain('Alone')
  expect(labels).not.toContain('Catalogue')
})
