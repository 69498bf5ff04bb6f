import { expect, it, vi } from 'vitest'
import { until } from '../test/processes.ts'
import { keepRunning, type Running } from './keep-running.ts'

/** Something that ends when it is told to, and how often it was started. */
function mortal() {
  const lives: { end: (how: string) => void }[] = []
  const start = async (): Promise<Running> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    lives.push({ end: resolve })
    return { ended: promise, stop: async () => resolve('stopped') }
  }
  return { lives, start }
}

it('starts again what ended by itself, and says so', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const { lives, start } = mortal()
  const kept = await keepRunning({ name: 'The worker', start, onGiveUp: expect.unreachable })
  lives[0]?.end('SIGKILL')
  await until('it was started again', () => lives.length === 2)
  expect(said).toHaveBeenCalledWith('The worker ended (SIGKILL); starting it again in 0.25 s.')
  said.mockRestore()
  await kept.stop()
  expect(lives).toHaveLength(2)
})

it('gives up, with the reason, on what dies five times in a row', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const onGiveUp = vi.fn()
  const start = async (): Promise<Running> => ({
    ended: Promise.resolve('exit code 1'),
    stop: async () => {},
  })
  await keepRunning({ name: 'The worker', start, onGiveUp, pauses: [1, 1, 2, 2] })
  await until('it gave up', () => onGiveUp.mock.calls.length > 0)
  expect(onGiveUp).toHaveBeenCalledExactlyOnceWith('The worker keeps ending (exit code 1).')
  expect(said).toHaveBeenCalledTimes(4)
  said.mockRestore()
})

it('gives up on what cannot be started again', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const onGiveUp = vi.fn()
  const { lives, start } = mortal()
  let isBroken = false
  await keepRunning({
    name: 'The database',
    start: () => (isBroken ? Promise.reject(new Error('no disk')) : start()),
    onGiveUp,
  })
  isBroken = true
  lives[0]?.end('SIGKILL')
  await until('it gave up', () => onGiveUp.mock.calls.length > 0)
  expect(onGiveUp).toHaveBeenCalledExactlyOnceWith('The database does not start again: Error: no disk')
  said.mockRestore()
})

it('passes on what the first start throws', async () => {
  const start = () => Promise.reject(new Error('no disk'))
  await expect(keepRunning({ name: 'The database', start, onGiveUp: expect.unreachable })).rejects.toThrow(
    'no disk',
  )
})
