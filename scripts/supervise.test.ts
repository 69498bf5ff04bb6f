import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { until } from '../test/processes/processes.ts'
import { type Outage, type Running, supervise } from './supervise.ts'

const said = vi.spyOn(console, 'error')
beforeEach(() => void said.mockReset().mockReturnValue())
afterEach(() => void said.mockReset())

/** A fake process that ends on request and counts its starts. */
function mortal() {
  const lives: { end: (how: string) => void }[] = []
  const start = async (): Promise<Running> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    lives.push({ end: resolve })
    return { ended: promise, stop: async () => resolve('stopped') }
  }
  return { lives, start }
}

const stillborn = async (): Promise<Running> => ({
  ended: Promise.resolve('exit code 1'),
  stop: async () => {},
})

it('restarts a process that exited, and reports it', async () => {
  const { lives, start } = mortal()
  const onOutage = vi.fn()
  const supervised = await supervise({ name: 'The worker', start, onOutage })
  lives[0]?.end('SIGKILL')
  await until('it was started again', () => lives.length === 2)
  expect(said).toHaveBeenCalledWith('The worker ended (SIGKILL); restarting in 0.25 s.')
  expect(onOutage).not.toHaveBeenCalled()
  await supervised.stop()
  expect(lives).toHaveLength(2)
})

it('restarts a failing process with growing delays and reports the reason', async () => {
  const outages: (Outage | undefined)[] = []
  const supervised = await supervise({
    name: 'The worker',
    start: stillborn,
    onOutage: (outage) => outages.push(outage),
    pauses: [1, 2, 3],
  })
  await until('it has died ten times', () => said.mock.calls.length >= 10)
  await supervised.stop()
  const pauses = said.mock.calls.slice(0, 5).map(([line]) => /in (\S+) s/.exec(String(line))?.[1])
  expect(pauses).toEqual(['0.001', '0.002', '0.003', '0.003', '0.003'])
  expect(outages[0]).toEqual({ reason: 'exit code 1', next_start: expect.any(Date) })
})

it('clears the outage once the process keeps running, and resets the delay', async () => {
  const { lives, start } = mortal()
  const onOutage = vi.fn()
  const supervised = await supervise({ name: 'The worker', start, onOutage, pauses: [1, 2], quick_ms: 50 })
  lives[0]?.end('SIGKILL')
  await until('it was started again', () => lives.length === 2)
  lives[1]?.end('SIGSEGV')
  await until('the outage is over', () => onOutage.mock.calls.length === 2)
  expect(onOutage.mock.calls).toEqual([[{ reason: 'SIGSEGV', next_start: expect.any(Date) }], [undefined]])
  lives[2]?.end('SIGKILL')
  await until('it was started again', () => lives.length === 4)
  expect(said).toHaveBeenLastCalledWith('The worker ended (SIGKILL); restarting in 0.001 s.')
  await supervised.stop()
})

it('keeps retrying a process that cannot be restarted', async () => {
  const { lives, start } = mortal()
  let isBroken = false
  const supervised = await supervise({
    name: 'The database',
    start: () => (isBroken ? Promise.reject(new Error('no disk')) : start()),
    pauses: [1],
  })
  isBroken = true
  lives[0]?.end('SIGKILL')
  await until('it failed', () => said.mock.calls.some(([line]) => String(line).includes('(no disk)')))
  isBroken = false
  await until('it was started again', () => lives.length === 2)
  await supervised.stop()
})

it('stops a process that is being started', async () => {
  const { lives, start } = mortal()
  const starting = Promise.withResolvers<void>()
  const supervised = await supervise({
    name: 'The worker',
    start: async () => {
      if (lives.length > 0) await starting.promise
      return start()
    },
    pauses: [1],
  })
  lives[0]?.end('SIGKILL')
  await until('it ended', () => said.mock.calls.length === 1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const stopped = supervised.stop()
  starting.resolve()
  await stopped
  expect(lives).toHaveLength(2)
})

it('rethrows the error of the first start', async () => {
  const start = () => Promise.reject(new Error('no disk'))
  await expect(supervise({ name: 'The database', start })).rejects.toThrow('no disk')
})
