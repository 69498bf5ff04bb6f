// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text
import { mutationsOf } from './mutation.ts'

export const engineMutations = mutationsOf('src/server/engine', {
  'engine: more runs of a type than it allows': [
    'const free = Math.max(0, type.allowed_concurrent_tasks - type.at_work)',
    'const free = Math.max(0, type.allowed_concurrent_tasks + 1 - type.at_work)',
    'engine/admissible.test.ts',
  ],
  'engine: a delayed type starts several at once': [
    'opens > now ? 0 : Math.min(free, 1)',
    'opens > now ? 0 : free',
    'engine/admissible.test.ts',
  ],
  'engine: lower priorities first': [
    'priority(b) - priority(a) || a.sort_order - b.sort_order',
    'priority(a) - priority(b) || a.sort_order - b.sort_order',
    'engine/admissible.test.ts',
  ],
  'engine: two runs with one exclusive key in one admission': [
    'if (run.exclusive_key !== null) taken.add(run.exclusive_key)',
    '',
    'engine/admissible.test.ts',
  ],
  'engine: a run starts while another has its exclusive key': [
    'and ${isDue} and ${isAttended} and not ${isKeyTaken}',
    'and ${isDue} and ${isAttended}',
    'engine/admission.test.ts',
  ],
  'engine: a run starts before its prerequisite types have ended': [
    'and (type.first_prerequisite_run is null or r.id < type.first_prerequisite_run)',
    '',
    'engine/prerequisites.test.ts',
  ],
  'engine: a failed prerequisite counts as met': [
    "return condition === 'success' && !accepted.has(ended)",
    'return false',
    'engine/prerequisites.test.ts',
  ],
  'engine: a warning of a prerequisite counts as a failure': [
    "const accepted = new Set<RunState>(['success', 'warning'])",
    "const accepted = new Set<RunState>(['success'])",
    'engine/prerequisites.test.ts',
  ],
  'engine: a run does not wait for its input': [
    'and input.id < reader.id',
    'and input.id > reader.id',
    'engine/inputs.test.ts',
  ],
  'engine: one attempt too many': [
    'if (attempts >= all)',
    'if (attempts > all)',
    'engine/retry-policy.test.ts',
  ],
  'engine: a failure that is not retryable is retried': [
    'if (!failure.retryable) return { retry: false, error }',
    '',
    'engine/retry-policy.test.ts',
  ],
  'engine: a retry starts before Google’s Retry-After': [
    'Math.max(retry_delay_seconds, failure.retry_after_seconds ?? 0)',
    'retry_delay_seconds',
    'engine/retry-policy.test.ts',
  ],
  'engine: an unacknowledged warning ends as success': [
    "case when exists (${unacknowledged}) then 'warning' else 'success' end",
    "'success'",
    'engine/inputs.test.ts',
  ],
  'engine: the success of a run is not the last success of its task': [
    'update tasks set last_success_run_id = ended.id',
    'update tasks set last_success_run_id = tasks.last_success_run_id',
    'engine/engine.test.ts',
  ],
  'engine: a stopped run is retried': [
    `    const { state } = await lock(trx, active.lease)
    if (state === 'stopping') return stopLeased(trx, active.lease)
    const run = await update(trx, active.lease, {
      state: 'queued',`,
    `    await lock(trx, active.lease)
    const run = await update(trx, active.lease, {
      state: 'queued',`,
    'engine/transitions.test.ts',
  ],
  'engine: the next attempt resumes from the failed attempt’s checkpoint': [
    "      checkpoint: null,\n      warnings: '[]',",
    "      warnings: '[]',",
    'engine/transitions.test.ts',
    'engine/run-context.test.ts',
    'engine/engine.test.ts',
  ],
  'engine: a worker that shuts down counts as a lost one': [
    "return release(active, { counts: false, message: 'The worker shuts down",
    "return release(active, { counts: true, message: 'The worker shuts down",
    'engine/engine.test.ts',
  ],
  'engine: a worker that lost its lease still ends the run': [
    "and state = 'active' and retry_count = ${job_retry}\n  returning id`",
    "and state = 'active'\n  returning id`",
    'engine/transitions.test.ts',
  ],
  'engine: an occurrence missed by more than six hours is started': [
    "and m.due_at > now() - interval '6 hours' as starts",
    'as starts',
    'engine/schedule/schedule.test.ts',
  ],
  'engine: pruning removes the current rows of a task': [
    'and s.id is distinct from t.snapshot_id and s.id is distinct from t.before_snapshot_id',
    'and s.id is distinct from t.before_snapshot_id',
    'engine/clean-up.test.ts',
  ],
  'engine: pruning removes the last run of a task': [
    'r.id in (t.last_run_id, t.last_success_run_id)',
    'r.id in (t.last_run_id)',
    'engine/clean-up.test.ts',
  ],
  'engine: a batch queues a reader before its input': [
    '(inputsOf.get(id) ?? []).every(({ input_task_id }) => !unplaced.has(input_task_id)),',
    '(inputsOf.get(id) ?? []).every(({ input_task_id }) => unplaced.has(input_task_id)),',
    'engine/queue-order.test.ts',
  ],
})
