import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

// All regular expressions of the app and the sandbox are checked, whether or not their input is trusted.
const FOLDERS = ['src', 'sandbox']
// Files that build expressions at run time: from paths and globs of routes or of the control API, anchored at the start; and from escaped
// secrets.
const MADE_AT_RUN_TIME = [
  'sandbox/control/faults.ts',
  'src/server/connectors/http-api/redactor.ts',
  'src/server/platform/http/pages.ts',
]

// At this length a pattern with linear time takes less than a millisecond, and one with quadratic time tens or hundreds. On a busy
// machine a linear pattern may be slow as well, but the ratio does not change: half of the text takes half of the time, where a
// quadratic pattern takes a quarter.
const CHARACTERS = 16_000
const SUSPECT_MS = 5
const LOOKS = 5
const OUT_OF_PROPORTION = 3

type Found = { place: string; pattern: RegExp }

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|spec)\.tsx?$/.test(path)),
)
const { found, unknown } = patternsOf(files)

function patternsOf(paths: string[]): { found: Found[]; unknown: string[] } {
  const found: Found[] = []
  const unknown: string[] = []
  for (const path of paths) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node) || isConstructed(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart())
        const pattern = evaluate(file, node)
        if (pattern) found.push({ place: `${path}:${line + 1}`, pattern })
        else unknown.push(path)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return { found, unknown: [...new Set(unknown)].sort() }
}

function isConstructed(node: ts.Node): boolean {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
}

/** Evaluates an expression to its pattern; null if it depends on more than constants of its file. */
function evaluate(file: ts.SourceFile, node: ts.Node): RegExp | null {
  const constants = file.statements
    .filter(ts.isVariableStatement)
    .map(({ declarationList }) => declarationList)
    .filter((list) => list.declarations.every(({ initializer }) => initializer && isText(initializer)))
  try {
    const texts = constants.map((list) => list.getText())
    return runInNewContext([...texts, node.getText()].join(';\n'))
  } catch {
    return null
  }
}

function isText(node: ts.Expression): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isTemplateExpression(node) ||
    ts.isTaggedTemplateExpression(node) ||
    (ts.isPropertyAccessExpression(node) && ts.isRegularExpressionLiteral(node.expression))
  )
}

const ALPHABET = [...'aA0 \t\n-_.,:;/\\"\'=+@&?%~<>()[]{}!#$^*|é＝']

/** Worst-case inputs for a pattern: a repeated prefix of a match, followed by an end that does not match. */
function hostileTexts({ source }: RegExp): string[] {
  const seeds = new Set(ALPHABET)
  for (const example of exampleOf(source).split('|'))
    for (let end = 1; end <= Math.min(example.length, 24); end += 1) {
      const start = example.slice(0, end)
      seeds.add(start).add(`${start}-`).add(`${start} `).add(example.slice(-end))
    }
  return [...seeds].flatMap((seed) => {
    const text = seed.repeat(Math.ceil(CHARACTERS / seed.length))
    return [`${text}\0`, `${text}\n\n`]
  })
}

/** An approximate minimal match of the pattern: one character per class, nothing for anchors and group syntax. */
function exampleOf(source: string): string {
  return source
    .replaceAll(/\\[pP]\{\w+\}/g, 'a')
    .replaceAll(/(?<!\\)\[\^?(\\?.)(?:\\.|[^\]\\])*\]/g, '$1')
    .replaceAll(/\(\?(?:<?[=!]|:)|\\[bB]/g, '')
    .replaceAll(/\\d/g, '0')
    .replaceAll(/\\s/g, ' ')
    .replaceAll(/\\w/g, 'a')
    .replaceAll(/(.)\{(\d+)(?:,\d*)?\}/g, (_, one, times) => one.repeat(Math.min(times, 12)))
    .replaceAll(/(?<!\\)[()^$?*+]/g, '')
    .replaceAll(/\\(.)/g, '$1')
}

// CPU time of this thread; the minimum of several measurements excludes interference.
const MEASURE = `
  const look = (text) => {
    const began = cpuTime()
    text.replace(pattern, '')
    return cpuTime() - began
  }
  const shortest = (text) => Math.min(...Array.from({ length: looks }, () => look(text)))
  texts.find((text) => {
    if (Math.min(look(text), look(text)) < suspect_ms * 1000) return false
    const whole = shortest(text)
    return whole > suspect_ms * 1000 && whole > out_of_proportion * shortest(text.slice(text.length / 2))
  })`

/** The beginning of an input for which the pattern takes more than linear time; null if there is none. */
function stalledBy({ source, flags }: RegExp, give_up_ms: number): string | null {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  const texts = hostileTexts(pattern)
  const cpuTime = () => process.threadCpuUsage().user
  const scope = {
    pattern,
    texts,
    looks: LOOKS,
    suspect_ms: SUSPECT_MS,
    out_of_proportion: OUT_OF_PROPORTION,
    cpuTime,
  }
  try {
    return runInNewContext(MEASURE, scope, { timeout: give_up_ms })?.slice(0, 20) ?? null
  } catch {
    return 'a text that it did not come to the end of'
  }
}

describe('every regular expression of the source takes linear time, also for worst-case texts', () => {
  test('all are found', () => {
    expect(found.length).toBeGreaterThan(100)
    expect(unknown).toEqual(MADE_AT_RUN_TIME)
  })

  test.each([/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, /\s+$/, / \((\d{3}): .*\)\.$/, /^(a+)+$/])(
    'the slow pattern %s is detected',
    (one) => {
      expect(stalledBy(one, 3_000)).not.toBeNull()
    },
  )

  test.each(found)('$place $pattern', ({ pattern }) => {
    expect(stalledBy(pattern, 25_000)).toBeNull()
  })
})
