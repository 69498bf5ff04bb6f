import { expect, it } from 'vitest'
import { runSteps } from './run-steps.ts'

const step = (name: string, program: string) => ({ name, command: [process.execPath, '--eval', program] })

it('prints a line for each step and the output of those that failed', async () => {
  const lines: string[] = []
  const passed = await runSteps(
    [step('good', 'console.log("quiet")'), step('bad', 'console.log("the reason"); process.exit(1)')],
    (line) => lines.push(line),
  )
  expect(passed).toBe(false)
  const text = lines.join('\n')
  expect(text).toMatch(/✓ good \(\d/)
  expect(text).toMatch(/✗ bad \(\d/)
  expect(text).toContain('── bad ──\nthe reason')
  expect(text).not.toContain('quiet')
})

it('fails on a program that is not there', async () => {
  const lines: string[] = []
  expect(await runSteps([{ name: 'gone', command: ['no-such-program'] }], (line) => lines.push(line))).toBe(
    false,
  )
  expect(lines.join('\n')).toContain('ENOENT')
})

it('passes when all steps do', async () => {
  expect(await runSteps([step('good', ''), step('also good', ''), step('third', '')], () => {})).toBe(true)
})
