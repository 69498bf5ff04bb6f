import { Link } from 'react-router'
import type { CompilerConfig } from '../../../../contract/compiler-configs.ts'
import type { TaskState } from '../../../../contract/tasks.ts'
import { CompileLine } from './compile-line.tsx'
import { CompileWarnings } from './compile-warnings.tsx'
import classes from './config-facts.module.css'

type Props = { config: CompilerConfig; state: TaskState | undefined }

/** What a configuration merges, when, and what it is at. */
export const ConfigFacts = ({ config, state }: Props) => (
  <section className={classes.card} aria-label="Configuration">
    <CompileLine config={config} state={state} />
    <CompileWarnings config={config} state={state} />
    <dl className={classes.facts}>
      <div>
        <dt>Sources, in order</dt>
        <dd>
          {config.source_task_ids.map((id, n) => (
            <span key={id}>
              {n > 0 && ', '}
              <Link to={`/source_tasks/${id}`}>{config.source_names[n]}</Link>
              {id === config.master_source_id && ' (master)'}
            </span>
          ))}
        </dd>
      </div>
      <div>
        <dt>Schedule</dt>
        <dd>{config.task_type_name ?? 'None: compiled by hand'}</dd>
      </div>
      {config.required_fields.length > 0 && (
        <div>
          <dt>Required fields</dt>
          <dd>{config.required_fields.join(', ')}</dd>
        </div>
      )}
    </dl>
  </section>
)
