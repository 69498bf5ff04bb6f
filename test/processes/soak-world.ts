import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { pipeline } from '../../src/contract/pipeline/calls.ts'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { wallTime } from '../../src/server/engine/schedule/wall-time.ts'
import { control } from '../fakes/sandbox.ts'
import { TcpProxy } from '../fakes/tcp-proxy.ts'
import type { Send } from '../fixtures/person.ts'
import { type Copy, Fleet, type Member } from './fleet.ts'
import { OwnServer } from './own-server.ts'
import { until } from './processes.ts'
import { WholePipeline } from './whole-pipeline.ts'

const [SOURCES, TARGETS, COPIES, DUE] = [7, 4, 8, 3]
const MINUTE_MS = 60_000
const ROLES = ['api', 'worker', 'worker', 'scheduler'] as const
const GOOGLE_FAULTS = ['429', '500', '503', 'execute-then-timeout', 'reset', 'half-body', 'html']

/**
 * Twenty tasks: seven sources, a compile, four copies of its records, eight copies of sheets, three of which are due every minute.
 * Real processes, their own PostgreSQL server, which may crash, behind a proxy, and a sandbox.
 */
export class SoakWorld {
  readonly fleet: Fleet
  readonly copies: Copy[]
  readonly since = new Date()
  /** Acknowledged run requests, and requests whose outcome is unknown. */
  accepted = 0
  ambiguous = 0
  /** All processes that were started, and those that ended unexpectedly. */
  readonly born: Member[] = []
  readonly members = new Map<number, Member>()
  readonly #pipeline: WholePipeline
  readonly #server: OwnServer
  readonly #proxy: TcpProxy
  readonly #send: Send
  readonly #random: () => number
  #round = 0

  static async open(random: () => number): Promise<SoakWorld> {
    const server = await OwnServer.start()
    onTestFinished(server.close)
    const proxies: TcpProxy[] = []
    const portFor = async (port: number) => {
      const proxy = await TcpProxy.before(port)
      proxies.push(proxy)
      onTestFinished(() => proxy.close())
      return proxy.port
    }
    const fleet = await Fleet.open({}, { own: server, portFor })
    onTestFinished(fleet.close)
    const api = await fleet.start('api')
    const { send } = await fleet.people()
    const whole = await WholePipeline.build(fleet, send, { sources: SOURCES, targets: TARGETS, retries: 3 })
    const copies = await fleet.copies(send, COPIES)
    const [proxy] = proxies
    if (!proxy) throw new Error('There is no proxy')
    const world = new SoakWorld({ fleet, copies, whole, server, proxy, send, random })
    await world.#makeDue()
    world.#put(0, api)
    for (const [place, role] of ROLES.entries()) if (place > 0) await world.#start(place, role)
    return world
  }

  private constructor(made: {
    fleet: Fleet
    copies: Copy[]
    whole: WholePipeline
    server: OwnServer
    proxy: TcpProxy
    send: Send
    random: () => number
  }) {
    this.fleet = made.fleet
    this.copies = made.copies
    this.#pipeline = made.whole
    this.#server = made.server
    this.#proxy = made.proxy
    this.#send = made.send
    this.#random = made.random
  }

  /** Tasks that are due every minute. */
  get due(): Copy[] {
    return this.copies.slice(0, DUE)
  }

  /** Faults by name. Each fault has ended when its function returns; recovery takes longer. */
  readonly faults: Record<string, () => Promise<unknown>> = {
    'a worker is killed': () => this.#replace(this.#between(1, 2), 'SIGKILL'),
    'a worker is frozen': () => this.#freeze(this.#between(1, 2)),
    'a worker receives SIGTERM': () => this.#replace(this.#between(1, 2), 'SIGTERM'),
    'the scheduler is killed': () => this.#replace(3, 'SIGKILL'),
    'the scheduler is frozen': () => this.#freeze(3),
    'the api is killed': () => this.#replace(0, 'SIGKILL'),
    'connections are cut': async () => this.#proxy.cut(),
    'connections fall silent': async () => this.#proxy.silence(),
    'the database is out of reach': async () => {
      this.#proxy.blackhole()
      await delay(2_000 + this.#random() * 13_000)
      this.#proxy.resume()
    },
    'the database crashes': () => this.#server.crash(),
    'the server ends every connection': () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(this.fleet.db),
    'Google is in trouble': async () => {
      await this.fleet.faults(...GOOGLE_FAULTS.map((kind) => ({ kind, ms: 20, probability: 0.06 })))
      await delay(3_000 + this.#random() * 7_000)
      await this.fleet.faults()
    },
    'Google is slow': async () => {
      await control(this.fleet.root, 'PUT', 'latency', { ms: 1_000, jitter_ms: 1_500 })
      await delay(5_000)
      await control(this.fleet.root, 'PUT', 'latency', { ms: 100, jitter_ms: 200 })
    },
  }

  /** Performs a random user action. */
  async act(): Promise<void> {
    const dice = this.#random()
    if (dice < 0.55) return this.#press()
    if (dice < 0.75) await this.#succeeds(() => this.#sendTo(syncTasks.stop, this.#anyCopy()))
    else if (dice < 0.9) await this.#succeeds(() => this.#runAll())
    else {
      this.#round += 1
      // An editor retries until Google accepts the edit.
      await until('Google takes an edit', () => this.#succeeds(() => this.#pipeline.turn(this.#round)))
    }
  }

  /** Ends all faults and waits until the system has recovered; returns the duration in seconds. */
  async recover(seconds: number): Promise<number> {
    await this.fleet.faults()
    await control(this.fleet.root, 'PUT', 'latency', { ms: 0 })
    const since = performance.now()
    for (const { task_id } of this.due)
      await until('the api answers', () => this.#succeeds(() => this.#setTimes(task_id, [])), seconds)
    await until('nothing is under way', async () => (await this.#live()) === 0, seconds)
    return (performance.now() - since) / 1000
  }

  /** Runs the whole pipeline without faults; returns the actual and expected contents of its targets. */
  async runWithoutFaults(): Promise<{ current: unknown; expected: unknown }[]> {
    this.#round += 1
    await this.#pipeline.turn(this.#round)
    await this.#runAll()
    await until('the round without faults is over', async () => (await this.#live()) === 0)
    return this.#pipeline.targetRows(this.#round)
  }

  async #live(): Promise<number> {
    const { queued = 0, running = 0, stopping = 0 } = await this.fleet.states()
    const waiting = await this.fleet.db
      .selectFrom('due_moments')
      .select('id')
      .where('outcome', 'is', null)
      .execute()
    return queued + running + stopping + waiting.length
  }

  async #makeDue(): Promise<void> {
    const times = Array.from({ length: 180 }, (_, n) => new Date(this.since.getTime() + (n + 1) * MINUTE_MS))
    const texts = times.map((time) =>
      new Date(wallTime(time, 'America/New_York')).toISOString().slice(11, 16),
    )
    for (const { task_id } of this.due) await this.#setTimes(task_id, texts)
  }

  #setTimes(task_id: number, scheduled_times: string[]): Promise<unknown> {
    const { method, path, reply } = syncTasks.update
    return this.#send(method, path.replace(':id', String(task_id)), reply, { scheduled_times })
  }

  // Sometimes three users press at the same time.
  async #press(): Promise<void> {
    const task = this.#anyCopy()
    const times = this.#random() < 0.3 ? 3 : 1
    await Promise.all(
      Array.from({ length: times }, async () => {
        this.ambiguous += 1
        await this.#succeeds(async () => {
          const { status } = await this.#sendTo(syncTasks.execute, task)
          this.ambiguous -= 1
          if (status === 'success') this.accepted += 1
        })
      }),
    )
  }

  #runAll(): Promise<unknown> {
    const { method, path, reply } = pipeline.run
    return this.#send(method, path, reply)
  }

  #sendTo({ method, path, reply }: typeof syncTasks.execute | typeof syncTasks.stop, { task_id }: Copy) {
    return this.#send(method, path.replace(':id', String(task_id)), reply)
  }

  /** Whether the work succeeded; it fails while the api, the database or Google is unavailable. */
  async #succeeds(work: () => Promise<unknown>): Promise<boolean> {
    return work().then(
      () => true,
      () => false,
    )
  }

  #anyCopy(): Copy {
    const copy = this.copies[Math.floor(this.#random() * this.copies.length)]
    if (!copy) throw new Error('There is no copy')
    return copy
  }

  #between = (least: number, most: number) => least + Math.floor(this.#random() * (most - least + 1))

  #put(place: number, member: Member): void {
    this.members.set(place, member)
    this.born.push(member)
  }

  async #start(place: number, role: string): Promise<void> {
    this.#put(place, await this.fleet.start(role))
  }

  async #replace(place: number, signal: NodeJS.Signals): Promise<void> {
    const victim = this.members.get(place)
    if (!victim) throw new Error(`There is no process ${place}`)
    await victim.end(signal)
    await this.#start(place, victim.roles)
  }

  async #freeze(place: number): Promise<void> {
    const victim = this.members.get(place)
    victim?.kill('SIGSTOP')
    await delay(1_000 + this.#random() * 14_000)
    victim?.kill('SIGCONT')
  }
}
