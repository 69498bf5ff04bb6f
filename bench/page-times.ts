import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const Load = z.object({ p99_ms: z.number() })
const PAUSE_MS = 50

/** Asks for a page some fifteen times a second, from a process of its own, until `stop`, which returns how long it took. */
export function startPageTimes(url: string, cookie: string): { stop: () => Promise<z.infer<typeof Load>> } {
  const args = [join(import.meta.dirname, 'http-load.ts'), url, cookie, '86400', '1', String(PAUSE_MS)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = text(child.stdout)
  return {
    stop: async () => {
      child.kill('SIGTERM')
      return Load.parse(JSON.parse(await printed))
    },
  }
}
