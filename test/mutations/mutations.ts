import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { accessMutations } from './access.ts'
import { compileMutations } from './compile.ts'
import { copyMutations } from './copy.ts'
import { engineMutations } from './engine.ts'
import { importMutations } from './imports.ts'
import type { Mutation } from './mutation.ts'

export const mutations: readonly Mutation[] = [
  ...engineMutations,
  ...accessMutations,
  ...importMutations,
  ...compileMutations,
  ...copyMutations,
]

export type Found = { file: string; tests: string[]; problem: string | null }

/** The file that a mutation changes and the tests that have to notice it; `problem` says why it cannot be planted. */
export async function findMutation({ folder, find, replace, tests }: Mutation): Promise<Found> {
  const sources = globSync(`${folder}/**/*.{ts,tsx}`).filter((path) => !/\.test\.tsx?$/.test(path))
  const files: string[] = []
  for (const path of sources) {
    const parts = (await readFile(path, 'utf8')).split(find).length - 1
    for (let time = 0; time < parts; time += 1) files.push(path)
  }
  const paths = tests.map((end) => globSync(`{src,test}/**/${end}`))
  const missing = tests.filter((_, index) => paths[index]?.length !== 1)
  const [file = ''] = files
  const problem =
    files.length !== 1
      ? `its text occurs ${files.length} times under ${folder}: ${find}`
      : missing.length > 0
        ? `not one test file ends in ${missing.join(', ')}`
        : find === replace
          ? 'it changes nothing'
          : null
  return { file, tests: paths.flat(), problem }
}
