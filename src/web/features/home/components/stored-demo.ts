import * as z from 'zod/mini'
import type { Demo } from './demo.ts'

const KEY = 'rowferry.demo'
const Stored = z.object({ sync_task_id: z.int(), config_id: z.int() })

/** The demo that this browser has set up, until its result was closed. */
export function readDemo(): Demo | null {
  try {
    return Stored.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

/** Stores the demo; null forgets it. */
export function storeDemo(demo: Demo | null): void {
  if (demo) localStorage.setItem(KEY, JSON.stringify(demo))
  else localStorage.removeItem(KEY)
}
