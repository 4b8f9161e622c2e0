/** Words that can follow a command. */
const FOLLOWING = {
  doctor: ['--domain', '--smtp-host', '--selector', '--dns', '--json'],
  trigger: ['--to', '--topic', '--payload', '--tenant', '--actor', '--transaction-id', '--wait', '--timeout', '--json'],
  tail: ['--workflow', '--subscriber', '--status', '--since', '--interval', '--json'],
  dev: ['--dir', '--open', '--prune', '--allow-unknown', '--force'],
  call: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', '--json'],
  keys: [
    'list',
    'issue',
    'rotate',
    'revoke',
    'reseal',
    'vapid',
    '--environment',
    '--name',
    '--scopes',
    '--expires',
    '--json',
  ],
  backup: ['--to', '--with-keys', '--json'],
  restore: ['--from', '--json'],
  'db:copy': ['--from', '--to', '--json'],
  'embedded-mongo': ['--port', '--dbpath'],
  test: ['--dir', '--only', '--junit', '--json'],
  completion: ['bash', 'zsh'],
};

/**
 * A script that completes the commands of `herald`.
 * @param commands names with what they do
 * @returns undefined for a shell that is not known
 */
export function completionScript(shell, commands) {
  if (shell === 'bash') return bash(commands);
  return shell === 'zsh' ? zsh(commands) : undefined;
}

const ALWAYS = ['--help'];
const LAST = ['completion', 'prints the completion for a shell'];

function bash(commands) {
  const names = [...commands.map(([name]) => name), LAST[0], '--version', '--help', '--profile'];
  const cases = Object.entries(FOLLOWING).map(
    ([name, words]) => `    ${name}) words="${[...words, ...ALWAYS].join(' ')}" ;;`,
  );
  // A colon separates words for bash, unless it is taken out for the while.
  return `_herald() {
  local current words COMP_WORDBREAKS="\${COMP_WORDBREAKS//:}"
  local line="\${COMP_LINE:0:COMP_POINT}"
  local -a typed
  read -r -a typed <<< "$line"
  [[ "$line" == *' ' ]] && typed+=('')
  current="\${typed[-1]}"
  if [[ "\${#typed[@]}" -le 2 ]]; then words="${names.join(' ')}"; else
  case "\${typed[1]}" in
${cases.join('\n')}
    *) words="${ALWAYS.join(' ')}" ;;
  esac
  fi
  if [[ "\${typed[-2]}" == --dir || "\${typed[-2]}" == --to || "\${typed[-2]}" == --from || "\${typed[-2]}" == --dbpath ]]; then
    COMPREPLY=($(compgen -d -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Readline keeps what stands before the last colon.
  [[ "$current" == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}")
}
complete -F _herald herald
`;
}

function zsh(commands) {
  const named = [...commands.map(([name, [meaning]]) => [name, meaning]), LAST];
  const quoted = named.map(
    ([name, meaning]) => `    '${name.replaceAll(':', '\\:')}:${meaning.replaceAll("'", "'\\''")}'`,
  );
  const cases = Object.entries(FOLLOWING).map(
    ([name, words]) => `      ${name}) compadd -- ${[...words, ...ALWAYS].join(' ')} ;;`,
  );
  return `#compdef herald
_herald() {
  local -a commands
  commands=(
${quoted.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    compadd -- --version --help --profile
  else
    case "$words[2]" in
${cases.join('\n')}
      *) compadd -- ${ALWAYS.join(' ')} ;;
    esac
  fi
}
compdef _herald herald
`;
}
