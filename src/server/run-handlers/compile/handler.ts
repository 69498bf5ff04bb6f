import type { RunHandler } from '../../engine/types.ts'
import { compile } from './compile-run.ts'
import { snapshotDefinition } from './definition.ts'
import type { CompileDeps } from './merge-all.ts'
import { OneAtATime } from './one-at-a-time.ts'

/** The run handler of compiler configurations. */
export function createCompileHandler(deps: CompileDeps): RunHandler {
  // Limits the worker's memory and its connections: a compile needs more of both than other runs.
  const queue = new OneAtATime()
  return {
    category: 'compiler',
    snapshotDefinition,
    run: (context) => queue.run(() => compile(deps, context), context.signal),
  }
}
