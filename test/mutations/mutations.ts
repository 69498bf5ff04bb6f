import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { accessMutations } from './access.ts'
import { compileMutations, skuMutations } from './compile.ts'
import { copyMutations, matchedMutations, targetMutations } from './copy.ts'
import { engineMutations } from './engine.ts'
import { importMutations } from './imports.ts'
import type { Mutation } from './mutation.ts'

export const mutations: readonly Mutation[] = [
  ...engineMutations,
  ...accessMutations,
  ...importMutations,
  ...compileMutations,
  ...skuMutations,
  ...copyMutations,
  ...matchedMutations,
  ...targetMutations,
]

export type Found = { file: string; tests: string[]; problem: string | null }

const paths = globSync('{src,sandbox,test}/**/*.{ts,tsx}')
const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const sources = new Map<string, Promise<string>>()

function sourceOf(path: string): Promise<string> {
  const source = sources.get(path) ?? readFile(path, 'utf8')
  sources.set(path, source)
  return source
}

/** Finds the file that a mutation changes and the tests that must detect it. `problem` is set if it cannot be applied. */
export async function findMutation({ folder, find, replace, tests }: Mutation): Promise<Found> {
  const files: string[] = []
  for (const path of paths.filter((path) => path.startsWith(`${folder}/`) && !isTest(path))) {
    const parts = (await sourceOf(path)).split(find).length - 1
    for (let time = 0; time < parts; time += 1) files.push(path)
  }
  const named = tests.map((end) => paths.filter((path) => path.endsWith(`/${end}`)))
  const missing = tests.filter((_, index) => named[index]?.length !== 1)
  const [file = ''] = files
  const problem =
    files.length !== 1
      ? `its text occurs ${files.length} times under ${folder}: ${find}`
      : missing.length > 0
        ? `not one test file ends in ${missing.join(', ')}`
        : find === replace
          ? 'it changes nothing'
          : null
  return { file, tests: named.flat(), problem }
}
