import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of some ten seconds and more, longest first. What is not named here begins in the order of its size. */
export const LONGEST = [
  'test/soak.test.ts',
  'scripts/start.test.ts',
  'src/server/run-handlers/copy/colleague-edits.test.ts',
  'src/server/run-handlers/copy/patched-ahead.test.ts',
  'src/server/run-handlers/copy/edits.test.ts',
  'src/server/run-handlers/copy/staged-ahead.test.ts',
  'src/server/run-handlers/copy/killed.test.ts',
  'src/server/run-handlers/copy/properties.test.ts',
  'src/server/run-handlers/copy/cost.test.ts',
  'src/server/platform/postgres/start-postgres.test.ts',
  'src/server/platform/backup/restore.test.ts',
  'src/server/platform/backup/forged-backups.test.ts',
  'src/server/run-handlers/copy/faults.test.ts',
  'src/server/run-handlers/copy/colleagues.test.ts',
  'src/server/run-handlers/copy/foreign-cells.test.ts',
  'src/server/engine/redelivery.test.ts',
  'src/server/run-handlers/disconnect.test.ts',
  'src/server/features/schedules/cron-agreement.test.ts',
  'src/server/run-handlers/copy/begun-large.test.ts',
  'sandbox/page-calls/page.test.ts',
  'src/server/releases.test.ts',
  'src/server/features/task-types/import-hostile.test.ts',
  'src/cli/program.test.ts',
  'src/server/features/schedules/source-schedule.test.ts',
  'scripts/restore.test.ts',
  'src/server/platform/backup/backup.test.ts',
  'src/server/run-handlers/compile/large-compiles.test.ts',
  'src/server/run-handlers/copy/interruptions.test.ts',
  'src/server/run-handlers/copy/late-requests.test.ts',
  'src/server/run-handlers/compile/merge-property.test.ts',
  'src/server/run-handlers/copy/resized.test.ts',
  'src/server/planted-secrets.test.ts',
  'src/server/run-handlers/copy/lent-grant.test.ts',
  'sandbox/sheets/malformed.test.ts',
  'sandbox/sheets/durability.test.ts',
  'src/server/features/bulk/many.test.ts',
  'src/server/engine/admission.test.ts',
  'src/server/platform/postgres/application-role.test.ts',
  'src/server/run-handlers/copy/ownership.test.ts',
  'src/server/platform/lost-connections.test.ts',
  'src/server/unmigrated.test.ts',
]

/** Begins the longest files first, so that none of them is left at the end, alone, while the other processor has nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.indexOf(relative(this.ctx.config.root, moduleId))
      return place < 0 ? LONGEST.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
