import type { RunState } from '../../contract/runs/status.ts'
import type { LogLevel, TaskCategory } from '../../contract/tasks/schemas.ts'
import type { AccountTables } from './schema/accounts.ts'
import type { CompilerTables } from './schema/compiler.ts'
import type { RunTables } from './schema/runs.ts'
import type { ServiceTables } from './schema/services.ts'
import type { SnapshotTables } from './schema/snapshots.ts'
import type { TaskTables } from './schema/tasks.ts'

export type { LogLevel, RunState, TaskCategory }

/** Types of all tables and columns, as sql/ creates them; used to check queries. */
export type Database = AccountTables &
  CompilerTables &
  RunTables &
  ServiceTables &
  SnapshotTables &
  TaskTables
