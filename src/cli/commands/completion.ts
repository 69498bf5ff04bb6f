import { type Command, EXIT } from '../command.ts'

const SHELLS = ['bash', 'zsh']

type Commands = Record<string, Command>

/** Prints a completion script for commands, flags and values. */
export const completionOf = (commands: Commands): Command => ({
  summary: 'Print the completion for a shell, to be sourced by it',
  args: ['SHELL'],
  choices: SHELLS,
  local: true,
  run: async ({ args: [shell], is_json, out, printJson }) => {
    const text =
      shell === 'zsh'
        ? `#compdef rowferry\nautoload -U bashcompinit && bashcompinit\n${script(commands)}`
        : script(commands)
    if (!is_json) out(text)
    printJson({ script: text })
    return EXIT.ok
  },
})

// Zsh loads the bash script with bashcompinit, so one script serves both.
function script(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, { choices = [], flags = {} }]) => {
    const words = [...choices, ...Object.keys({ ...flags, json: 0, help: 0 }).map((flag) => `--${flag}`)]
    return `    ${name}) words='${words.join(' ')}' ;;`
  })
  const values = new Map(
    Object.values(commands)
      .flatMap(({ flags = {} }) => Object.entries(flags))
      .flatMap(([name, { choices }]) => (choices ? [[name, choices.join(' ')] as const] : [])),
  )
  return `_rowferry() {
  local words before="\${COMP_WORDS[COMP_CWORD-1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words='' ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='help ${[...Object.keys(commands), 'completion'].join(' ')}'; fi
  case "$before" in
${[...values].map(([name, choices]) => `    --${name}) words='${choices}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _rowferry rowferry
`
}
