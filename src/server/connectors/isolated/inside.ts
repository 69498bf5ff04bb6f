// What a program does that runs as an IsolatedProcess.
import { writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

const MEGABYTE = 1_048_576
const FULL_PIPE_WAIT_MS = 2
// Nobody wakes it up: waiting for it is a pause of a program that must not go on.
const NOBODY = new Int32Array(new SharedArrayBuffer(4))

// A thread that ends the process when its parent is gone, or it takes too much memory or time, whatever else it is at.
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

// Processor time, in microseconds, from which on that of the piece of work counts.
const begun = new Float64Array(new SharedArrayBuffer(8))

/** The next piece of work may take as much processor time again. */
export function beginWork(): void {
  const { user, system } = process.cpuUsage()
  begun[0] = user + system
}

/** Watches the limits that the process was started with; returns its other arguments. */
export function watchLimits(): string[] {
  const [megabytes, cpu_seconds, ...args] = process.argv.slice(2)
  const limits = { bytes: Number(megabytes) * MEGABYTE, microseconds: Number(cpu_seconds) * 1e6 }
  new Worker(WATCHMAN, { eval: true, workerData: { ...limits, parent: process.ppid, begun } })
  return args
}

/** Writes to standard output; waits as long as nobody reads. */
export function send(text: string | Uint8Array): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += written(bytes, at)
}

/** Bytes that were taken; none where as many wait to be read as the pipe holds. */
function written(bytes: Buffer, at: number): number {
  try {
    return writeSync(1, bytes, at)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    Atomics.wait(NOBODY, 0, 0, FULL_PIPE_WAIT_MS)
    return 0
  }
}
