// Helpers for programs that run as an IsolatedProcess.
import { writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

const MEGABYTE = 1_048_576
const FULL_PIPE_WAIT_MS = 2
// Never notified: waiting for it blocks the program.
const NOBODY = new Int32Array(new SharedArrayBuffer(4))

// A watchdog thread: ends the process if its parent is gone or it exceeds memory or time, even while the main thread
// is busy.
const WATCHMAN = `
  const { writeSync } = require('node:fs')
  const { workerData: { bytes, microseconds, parent, begun } } = require('node:worker_threads')
  const end = (complaint) => {
    if (complaint) writeSync(2, complaint)
    process.kill(process.pid, 'SIGKILL')
  }
  setInterval(() => {
    if (process.ppid !== parent) end()
    const { user, system } = process.cpuUsage()
    if (process.memoryUsage.rss() > bytes) end('memory')
    if (microseconds > 0 && user + system - begun[0] > microseconds) end('time')
  }, 20)`

// Processor time in microseconds at the start of the current job.
const begun = new Float64Array(new SharedArrayBuffer(8))

/** Resets the processor time limit for the next job. */
export function beginWork(): void {
  const { user, system } = process.cpuUsage()
  begun[0] = user + system
}

/** Starts the watchdog with the limits from the arguments; returns the other arguments. */
export function watchLimits(): string[] {
  const [megabytes, cpu_seconds, ...args] = process.argv.slice(2)
  const limits = { bytes: Number(megabytes) * MEGABYTE, microseconds: Number(cpu_seconds) * 1e6 }
  new Worker(WATCHMAN, { eval: true, workerData: { ...limits, parent: process.ppid, begun } })
  return args
}

/** Writes to standard output; blocks while the pipe is full. */
export function send(text: string | Uint8Array): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += written(bytes, at)
}

/** Number of bytes written; 0 if the pipe is full. */
function written(bytes: Buffer, at: number): number {
  try {
    return writeSync(1, bytes, at)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    Atomics.wait(NOBODY, 0, 0, FULL_PIPE_WAIT_MS)
    return 0
  }
}
