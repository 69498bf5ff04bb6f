import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../../platform/db.ts'
import { families, type Subject } from './families.ts'

type Deps = Subject & {
  db: Db
  log: Pick<FastifyBaseLogger, 'warn'>
  /** DATA_DIR, whose disk fills. */ folder: string
}

/** Adds the gauges of the installation's state to a registry; returns what reads them anew, which fails only by `rowferry_database_up` 0. */
export function stateGauges(register: Registry, deps: Deps): () => Promise<void> {
  const registers = [register]
  const gauges = families.map((family) => ({
    family,
    gauge: new Gauge({ name: family.name, help: family.help, labelNames: [...family.labels], registers }),
  }))
  const up = new Gauge({ name: 'rowferry_database_up', help: '1 while the database answers', registers })
  const free = new Gauge({
    name: 'rowferry_disk_free_bytes',
    help: 'What is free on the disk of DATA_DIR',
    registers,
  })
  return async () => {
    const { bavail, bsize } = await statfs(deps.folder)
    free.set(bavail * bsize)
    // What is old is no state. Where there are no labels a reset would leave a 0, which is no better.
    for (const { family, gauge } of gauges)
      if (family.labels.length === 0) gauge.remove()
      else gauge.reset()
    try {
      // One after the other: the connections are for the pages.
      for (const { family, gauge } of gauges) {
        const { rows } = await family.read(deps).execute(deps.db)
        for (const { value, ...labels } of rows) gauge.set(textsOf(labels), Number(value))
      }
      up.set(1)
    } catch (error) {
      deps.log.warn({ err: error }, 'The state of the installation could not be read for /metrics')
      up.set(0)
    }
  }
}

const textsOf = (labels: Record<string, string | number | null>) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
