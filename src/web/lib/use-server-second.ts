import { useSyncExternalStore } from 'react'
import { serverNow } from './server-clock.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Calls `listener` every second until unsubscribed. One shared timer, so that all rows change together. */
export function everySecond(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const notify of listeners) notify()
  }, SECOND_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const second = () => Math.floor(serverNow() / SECOND_MS) * SECOND_MS

const minute = () => Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS

/** The server's time, in whole seconds as milliseconds since 1970; components that use it render every second. */
export const useServerSecond = (): number => useSyncExternalStore(everySecond, second)

/** The same in whole minutes. */
export const useServerMinute = (): number => useSyncExternalStore(everySecond, minute, minute)
