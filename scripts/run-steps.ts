import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { stripVTControlCharacters } from 'node:util'

/** A check and its command. */
export type Step = { name: string; command: string[] }

type Outcome = { step: Step; passed: boolean; seconds: number; output: string }

/** Runs steps, two in parallel, and prints a line for each, then the output of failed steps. Returns true if all passed. */
export async function runSteps(steps: Step[], print: (line: string) => void): Promise<boolean> {
  const waiting = [...steps]
  const outcomes: Outcome[] = []
  async function worker(): Promise<void> {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const outcome = await runStep(step)
      outcomes.push(outcome)
      print(`${outcome.passed ? '✓' : '✗'} ${step.name} (${outcome.seconds.toFixed(1)} s)`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker))
  const failed = outcomes.filter(({ passed }) => !passed)
  for (const { step, output } of failed) print(`\n── ${step.name} ──\n${output.trimEnd()}`)
  return failed.length === 0
}

async function runStep(step: Step): Promise<Outcome> {
  const startedAt = performance.now()
  const [command = '', ...args] = step.command
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const passed = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      output += String(error)
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
  const seconds = (performance.now() - startedAt) / 1000
  return { step, passed, seconds, output: stripVTControlCharacters(output) }
}
