import { ActionIcon, Button, NativeSelect, Radio, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { CategoryBadge, choicesOf } from '../components/category.tsx'
import {
  addedDependency,
  type ChosenDependency,
  conditionOf,
  conditions,
  type DependencyDraft,
  noDraft,
} from './dependency-rules.ts'
import classes from './dependency-selector.module.css'

type Props = {
  value: ChosenDependency[]
  /** Types of all categories. */
  types: readonly TaskType[]
  /** The edited type. */
  type_id: number | undefined
  draft: DependencyDraft
  error: ReactNode
  onChange: (dependencies: ChosenDependency[]) => void
  onDraft: (draft: DependencyDraft) => void
}

/** Dependencies of a type with their conditions, and a panel that adds one. */
export function DependencySelector({ value, draft, types, type_id, error, onChange, onDraft }: Props) {
  const chosen = new Set(value.map((one) => one.dependency_task_type_id))
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()
  const add = () => {
    const result = addedDependency(draft, value, types, type_id)
    setProblem('problem' in result ? result.problem : null)
    if ('problem' in result) return
    onChange([...value, result.added])
    onDraft(noDraft)
  }
  const choices = types
    .filter((one) => one.id !== type_id)
    .map((one) => ({ ...one, disabled: chosen.has(one.id) }))
  const said = problem ?? error
  return (
    <>
      {value.length === 0 && (
        <div className={classes.empty}>
          <p>{taskTypeMessages.no_dependencies_configured}</p>
          <p>{taskTypeMessages.runs_independently}</p>
        </div>
      )}
      {value.length > 0 && (
        <ul className={classes.list} aria-label="Dependencies">
          {value.map(({ dependency_task_type_id, condition_type, name, task_category }) => {
            const others = value.filter((one) => one.dependency_task_type_id !== dependency_task_type_id)
            return (
              <li key={dependency_task_type_id}>
                <span className={classes.name}>
                  {name} <CategoryBadge category={task_category} />
                </span>
                <NativeSelect
                  aria-label={`Condition of ${name}`}
                  data={conditions}
                  value={condition_type}
                  onChange={(event) => {
                    const changed = conditionOf(event.currentTarget.value) ?? condition_type
                    onChange(
                      value.map((one) =>
                        one.dependency_task_type_id === dependency_task_type_id
                          ? { ...one, condition_type: changed }
                          : one,
                      ),
                    )
                  }}
                />
                <ActionIcon
                  aria-label={`Remove ${name}`}
                  title="Remove"
                  onClick={() => {
                    setProblem(null)
                    onChange(others)
                  }}
                >
                  <IconX size={17} />
                </ActionIcon>
              </li>
            )
          })}
        </ul>
      )}
      <fieldset className={classes.panel} aria-describedby={said ? id : undefined}>
        <legend>Add a dependency</legend>
        <Select
          label="Task type"
          placeholder="Choose a type"
          searchable
          clearable
          // rendering thousands of options takes seconds
          limit={100}
          // makes the clear button reachable by keyboard
          clearButtonProps={{ 'aria-label': 'Choose no type', 'aria-hidden': false, tabIndex: 0 }}
          nothingFoundMessage="No such type"
          data={choicesOf(choices)}
          value={draft.type}
          onChange={(type) => {
            setProblem(null)
            onDraft({ ...draft, type })
          }}
        />
        <Radio.Group
          label="Condition"
          value={draft.condition}
          onChange={(condition) => {
            setProblem(null)
            onDraft({ ...draft, condition })
          }}
        >
          <div className={classes.conditions}>
            {conditions.map((one) => (
              <Radio key={one.value} {...one} />
            ))}
          </div>
        </Radio.Group>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          Add dependency
        </Button>
        {said && (
          <p id={id} className={classes.problem} role="alert">
            {said}
          </p>
        )}
      </fieldset>
    </>
  )
}
