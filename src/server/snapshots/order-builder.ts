import type { Db } from '../platform/db.ts'
import type { Order } from './sorted-rows.ts'
import { storeSortOrder } from './store-sort-order.ts'

/** Stores an order of a snapshot's rows and resolves when it is stored. Aborting `signal` withdraws the request. */
export const buildOrder = (db: Db, order: Order, signal: AbortSignal): Promise<void> =>
  builderOf(db).build(order, signal)

type Building = { wanted: number; done: Promise<void> }

/**
 * Builds one order at a time, and each once for all callers: a build uses a connection and all cores for seconds. This holds within a
 * process; storeSortOrder keeps concurrent processes apart.
 */
class OrderBuilder {
  readonly #db: Db
  readonly #building = new Map<string, Building>()
  #last: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves when the order is stored. A build is skipped if all its callers have aborted before it starts. */
  async build(order: Order, signal: AbortSignal): Promise<void> {
    const building = this.#join(order)
    building.wanted += 1
    const leave = () => {
      building.wanted -= 1
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      await building.done
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #join(order: Order): Building {
    const key = `${order.version} ${order.column}`
    const known = this.#building.get(key)
    if (known) return known
    const building: Building = { wanted: 0, done: Promise.resolve() }
    building.done = this.#last
      .then(async () => {
        if (building.wanted > 0) await storeSortOrder(this.#db, order)
      })
      .finally(() => this.#building.delete(key))
    this.#last = building.done.catch(() => {})
    this.#building.set(key, building)
    return building
  }
}

const builders = new WeakMap<Db, OrderBuilder>()

function builderOf(db: Db): OrderBuilder {
  const builder = builders.get(db) ?? new OrderBuilder(db)
  builders.set(db, builder)
  return builder
}
