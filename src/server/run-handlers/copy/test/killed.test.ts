import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import { until } from '../../../../../test/fixtures/copy-world.ts'

const LOOK_EVERY_MS = 100

const worlds = copyWorlds({ worker: false })

const table = (mark: string) =>
  Array.from({ length: 4_200 }, (_, row) =>
    Array.from({ length: 10 }, (_, column) => `${mark} ${row}/${column}`),
  )

test.each(worlds)(
  'over %s a worker that is killed in the middle of copies loses nothing: another one ends them in Success, and no target ever holds a mixture',
  async (_provider, world) => {
    const before = table('old')
    const after = table('new')
    const source = await world.spreadsheet({ Products: after })
    const targets = await Promise.all([1, 2, 3].map(() => world.spreadsheet({ Shop: before })))
    const tasks = await Promise.all(
      targets.map((target_ss_id) =>
        world.task({
          source_ss_id: source,
          target_ss_id,
        }),
      ),
    )
    await world.faults({ kind: 'latency', ms: 50, jitter_ms: 400 })
    const first = await world.workerProcess()
    for (const task of tasks) await world.start(task)
    const hidden = async () => (await Promise.all(targets.map((target) => world.tabs(target)))).flat().length
    await until(async () => (await hidden()) > targets.length)
    await first.end('SIGKILL')
    const second = await world.workerProcess()

    let over = false
    const watch = async () => {
      while (!over) {
        for (const target of targets) {
          // The first corner is read first: if it is new, all cells are new.
          const first = String((await world.values(target, 'Shop!A1'))[0]?.[0])
          const last = String((await world.values(target, 'Shop!J4200'))[0]?.[0])
          if (first.startsWith('new')) expect(last).toMatch(/^new/)
          // Pause between file reads, so that this process can serve its database connections.
          await pause(LOOK_EVERY_MS)
        }
      }
    }
    const ended = Promise.all(tasks.map((task) => world.ended(task))).finally(() => {
      over = true
    })
    const [runs] = await Promise.all([ended, watch()])
    for (const run of runs) expect(run).toMatchObject({ state: 'success', receipt: { rows: 4_199 } })
    expect(runs.some((run) => run.log.some((line) => line.includes('another resumed the run')))).toBe(true)
    for (const target of targets) {
      expect(await world.values(target, 'Shop')).toEqual(after)
      expect(await world.tabs(target)).toEqual(['Shop'])
    }
    await second.end()
  },
)
