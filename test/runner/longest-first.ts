import { matchesGlob, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { SLOW_TESTS } from '../../scripts/slow-tests.ts'

/** Starts the slow files first, in the order of their list, and then the others in Vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(
      files.map(({ moduleId }) => [moduleId, rankOf(relative(this.ctx.config.root, moduleId))]),
    )
    const rank = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? SLOW_TESTS.length
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

function rankOf(path: string): number {
  const place = SLOW_TESTS.findIndex((glob) => matchesGlob(path, glob))
  return place < 0 ? SLOW_TESTS.length : place
}
