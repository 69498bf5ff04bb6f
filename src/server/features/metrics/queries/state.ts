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

/** Registers the gauges and returns a function that refreshes them. A failed refresh sets `rowferry_database_up` to 0. */
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
    // Removes outdated values. A gauge without labels is removed too, because a reset would report 0.
    for (const { family, gauge } of gauges)
      if (family.labels.length === 0) gauge.remove()
      else gauge.reset()
    try {
      // Sequential, to leave database connections to the API.
      for (const { family, gauge } of gauges) {
        const { rows } = await family.read(deps).execute(deps.db)
        for (const { value, ...labels } of rows) gauge.set(textsOf(labels), Number(value))
      }
      up.set(1)
    } catch (error) {
      deps.log.warn({ err: error }, 'Failed to read metrics from the database')
      up.set(0)
    }
  }
}

const textsOf = (labels: Record<string, string | number | null>) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
