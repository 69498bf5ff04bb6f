import { relative } from 'node:path'
import type { Reporter as BrowserReporter, FullConfig, TestCase, TestResult } from '@playwright/test/reporter'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

const SHOWN = 15

/** The longest test files with their duration in seconds, longest first. */
export function durationLines(seconds: ReadonlyMap<string, number>): string[] {
  const sorted = [...seconds].sort(([, one], [, other]) => other - one)
  const total = sorted.reduce((sum, [, time]) => sum + time, 0)
  return [
    `Seconds by file, ${total.toFixed(0)} in ${sorted.length} files:`,
    ...sorted.slice(0, SHOWN).map(([file, time]) => `${time.toFixed(1).padStart(7)}  ${file}`),
  ]
}

const print = (seconds: ReadonlyMap<string, number>) =>
  console.log(`\n${durationLines(seconds).join('\n')}\n`)

/** Prints how long each test file took, hooks included. */
export class Durations implements Reporter {
  #root = ''

  onInit({ config }: Vitest): void {
    this.#root = config.root
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    print(
      new Map(
        modules.map((module) => {
          const { collectDuration, duration } = module.diagnostic()
          return [relative(this.#root, module.moduleId), (collectDuration + duration) / 1000]
        }),
      ),
    )
  }
}

/** Prints the duration of each browser spec. */
export default class BrowserDurations implements BrowserReporter {
  readonly #seconds = new Map<string, number>()
  #root = ''

  onBegin({ rootDir }: FullConfig): void {
    this.#root = rootDir
  }

  onTestEnd({ location }: TestCase, { duration }: TestResult): void {
    const file = relative(this.#root, location.file)
    this.#seconds.set(file, (this.#seconds.get(file) ?? 0) + duration / 1000)
  }

  onEnd(): void {
    print(this.#seconds)
  }

  printsToStdio(): boolean {
    return false
  }
}
