import { formatted } from '../counted.ts'

const rules = (count: number) => `${formatted(count)} ${count === 1 ? 'rule' : 'rules'}`

/** Texts of the screen about decisions. */
export const decisionMessages = {
  title: 'Decisions',
  subtitle: 'Where sources disagree about a field, decide once: the rule applies from the next compile on',
  load_failed: 'Failed to load the disagreements',
  rules_failed: 'Failed to load the rules',
  decide_failed: 'Failed to save the decision',
  remove_failed: 'Failed to remove the rule',
  undo_failed: 'Failed to undo the change',
  none_open: 'Nothing to decide',
  none_open_hint: 'In the last compile, no sources disagree about a field without a rule.',
  none_match: 'No disagreement matches these filters',
  no_rules: 'No rule yet',
  no_rules_hint: 'Each decision becomes a rule, which you can remove here.',
  no_disputes: 'No sources disagree about a field',
  no_disputes_hint: 'Compile the configuration to compare its sources.',
  by_value_hint:
    'Each row is one set of different values. The one that you press is used wherever sources have just these values.',
  by_source_hint: 'Prefer a source for a field: its value is used whenever it has one.',
  decided: (count: number) => `${rules(count)} set, from the next compile on`,
  skipped: (count: number) => ` ${formatted(count)} left open: the choice does not decide them.`,
  nothing_set: 'No rule was set: the choice decides nothing new.',
  removed: (count: number) => `${rules(count)} removed, from the next compile on`,
  undone: 'The change is undone',
  use: (text: string, field: string) => `Use ${text} for ${field}`,
  used_now: (count: number) => `used in ${formatted(count)} ${count === 1 ? 'record' : 'records'}`,
  prefer: (source: string, field: string) => `Always prefer ${source} for ${field}`,
  grouped: (fields: readonly string[]) =>
    `Comes from one source together with ${fields.join(', ')}: prefer a source under “By source”.`,
  unlisted: (count: number) =>
    `${formatted(count)} of them with values that are too long or too many to list`,
  by: (author: string, moment: string) => `Set by ${author}, ${moment}`,
  applied: (count: number) => `${formatted(count)} ${count === 1 ? 'record' : 'records'}`,
  not_yet: 'From the next compile on',
  select_all: (count: number) => `Decide all ${formatted(count)} that match`,
  select_title: (count: number) =>
    `Decide ${formatted(count)} ${count === 1 ? 'disagreement' : 'disagreements'}`,
  select_current: 'The value that each record has now',
  select_source: (name: string) => `The value of ${name}`,
  by_rule: (sentence: string, author: string) => `By a rule of ${author}: ${sentence}`,
} as const
