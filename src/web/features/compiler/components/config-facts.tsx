import { Link } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { taskDialogMessages } from '../../../../contract/tasks/dialog-messages.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { Fact } from '../../../tasks/page/fact.tsx'
import card from '../../../tasks/page/task-card.module.css'
import { CompileFailure } from './compile-failure.tsx'
import { CompileLine } from './compile-line.tsx'
import { CompileWarnings } from './compile-warnings.tsx'
import classes from './config-facts.module.css'

type Props = { config: CompilerConfig; state: TaskState | undefined }

/** Sources, schedule, owner and status of a configuration. */
export const ConfigFacts = ({ config, state }: Props) => (
  <section className={`${card.card} ${classes.card}`} aria-label="Configuration">
    <CompileLine config={config} state={state} />
    <CompileWarnings config={config} state={state} />
    <CompileFailure config={config} state={state} />
    <dl className={card.facts}>
      <Fact name="Sources, in order">
        {config.source_task_ids.map((id, n) => (
          <span key={id}>
            {n > 0 && ', '}
            <Link to={`/source_tasks/${id}`}>{config.source_names[n]}</Link>
            {id === config.master_source_id && ' (master)'}
          </span>
        ))}
      </Fact>
      {config.task_type_name !== null && <Fact name="Task type">{config.task_type_name}</Fact>}
      <Fact name="Schedule">{config.task_type_schedule ?? compilerMessages.no_schedule}</Fact>
      <Fact name="Owner">{config.owner?.name ?? taskDialogMessages.owner_nobody}</Fact>
      {config.tags.length > 0 && <Fact name="Tags">{config.tags.join(', ')}</Fact>}
      {config.required_fields.length > 0 && (
        <Fact name="Required fields">{config.required_fields.join(', ')}</Fact>
      )}
    </dl>
  </section>
)
