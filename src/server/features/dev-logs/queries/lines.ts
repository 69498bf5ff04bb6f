import { z } from 'zod'
import type { LogLine } from '../../../../contract/dev-logs/calls.ts'
import { openLogFile } from './files.ts'

const MAX_BYTES = 512 * 1024
const MAX_LINES = 2_000

/** Reads the last lines of a log file, oldest first: at most 2,000 lines and 512 KiB. Throws NamedError `log_file_not_found`. */
export async function readLogFile(folder: string, id: string) {
  const handle = await openLogFile(folder, id, 'read')
  try {
    const { size } = await handle.stat()
    const from = Math.max(0, size - MAX_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
    const text = buffer.subarray(0, bytesRead).toString()
    // Skips the first line if reading starts in the middle of it.
    const lines = text.slice(from === 0 ? 0 : text.indexOf('\n') + 1).split('\n')
    const written = lines.filter((line) => line.trim() !== '')
    return {
      file: id,
      bytes: size,
      truncated: from > 0 || written.length > MAX_LINES,
      lines: written.slice(-MAX_LINES).map(readLine),
    }
  } finally {
    await handle.close()
  }
}

const Line = z
  .object({
    level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']),
    time: z.string(),
    msg: z.string().default(''),
  })
  .loose()

function readLine(line: string): LogLine {
  const parsed = Line.safeParse(parseJson(line))
  if (!parsed.success) return { level: 'text', time: null, message: line, details: '' }
  const { level, time, msg, role: _, pid: __, ...fields } = parsed.data
  return {
    level,
    time,
    message: msg,
    details: Object.keys(fields).length > 0 ? JSON.stringify(fields) : '',
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
