import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestRunner } from 'vitest'
import { cleanUpAfterEachFile } from '../fixtures/clean-up.ts'

/** Exit code of a process, or the signal that ended it. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null }

/** A real process under test, killed after the test file if it is still running. */
export type TestProcess = {
  pid: number
  /** The complete output so far, stdout and stderr combined. */
  output: () => string
  /** Waits for a match in the output. Fails with the output if the process ends or after `seconds` (default: just before the timeout). */
  printed: (pattern: RegExp, seconds?: number) => Promise<RegExpExecArray>
  kill: (signal: NodeJS.Signals) => void
  /** Sends a signal, by default SIGTERM, and waits until the process ends. */
  end: (signal?: NodeJS.Signals) => Promise<Ending>
  ended: Promise<Ending>
}

/** Default timeout of waits: slightly less than the running test's; in hooks, that of a slow test. */
const secondsLeft = () => ((TestRunner.getCurrentTest()?.timeout ?? 300_000) * 0.9) / 1000

const running = new Set<ChildProcess>()

/** Starts a program with this version of Node; `env` extends the test's own environment. */
export function startNode(args: string[], env: Record<string, string> = {}, cwd?: string): TestProcess {
  return startProcess(process.execPath, args, env, cwd)
}

/** Starts a program. Throws if that fails. */
export function startProcess(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  cwd?: string,
): TestProcess {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} cannot be started`)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  running.add(child)
  const ended = once(child, 'close').then((): Ending => {
    running.delete(child)
    return { code: child.exitCode, signal: child.signalCode }
  })

  const printed: TestProcess['printed'] = async (pattern, seconds = secondsLeft()) => {
    const deadline = Date.now() + seconds * 1000
    for (;;) {
      const match = pattern.exec(output)
      if (match) return match
      if (!running.has(child)) throw new Error(`It ended before it printed ${pattern}:\n${output}`)
      if (Date.now() > deadline) throw new Error(`It did not print ${pattern} in ${seconds} s:\n${output}`)
      await sleep(20)
    }
  }
  const end: TestProcess['end'] = (signal = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  const kill: TestProcess['kill'] = (signal) => child.kill(signal)
  return { pid, output: () => output, printed, kill, end, ended }
}

/** Whether the process is running; a zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until a condition holds. Fails with its description after `seconds` (default: shortly before the test's timeout). */
export async function until(
  description: string,
  holds: () => boolean | Promise<boolean>,
  seconds = secondsLeft(),
): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${description}`)
    await sleep(20)
  }
}

cleanUpAfterEachFile(() => {
  for (const child of running) child.kill('SIGKILL')
})
