/** One script a shell: each hands the words to `forge __complete` and shows what comes back. */

/**
 * Bash breaks words at `=` and `:` too and replaces only what follows the last break, so the words are taken from the line
 * itself, and what bash keeps is cut off the candidates. Written for bash 3.2, which macOS still has.
 */
const bash = `# Completion of forge for bash: source <(forge completion bash)
_forge() {
  local line="\${COMP_LINE:0:COMP_POINT}" typed="" kept="" answer then=words
  local -a words
  read -ra words <<<"$line"
  case "$line" in *[[:space:]]) ;; *) typed="\${words[\${#words[@]}-1]}"; unset "words[\${#words[@]}-1]" ;; esac
  words=("\${words[@]:1}")
  case "$typed" in
    *[=:]*)
      kept="\${typed%"\${typed##*[=:]}"}"
      case "$COMP_WORDBREAKS" in *"\${kept: -1}"*) ;; *) kept="" ;; esac
      ;;
  esac
  COMPREPLY=()
  while IFS= read -r answer; do
    case "$answer" in
      :*) then="\${answer#:}" ;;
      *) answer="\${answer%%$'\\t'*}"; COMPREPLY+=("\${answer#"$kept"}") ;;
    esac
  done < <(forge __complete -- "\${words[@]}" "$typed" 2>/dev/null)
  case "$then" in
    files | folders)
      while IFS= read -r answer; do COMPREPLY+=("$answer"); done < <(
        if [ "$then" = files ]; then compgen -f -- "\${typed#"$kept"}"; else compgen -d -- "\${typed#"$kept"}"; fi
      )
      compopt -o filenames 2>/dev/null
      ;;
    *)
      if [ "\${#COMPREPLY[@]}" -eq 1 ]; then case "\${COMPREPLY[0]}" in *[=./]) compopt -o nospace 2>/dev/null ;; esac; fi
      ;;
  esac
  return 0
}
complete -F _forge forge`;

const zsh = `#compdef forge
# Completion of forge for zsh: source <(forge completion zsh), after compinit
_forge() {
  local line value help then=words
  local -a open open_help ready ready_help
  for line in "\${(@f)$(forge __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ "$line" == :* ]]; then then="\${line#:}"; continue; fi
    value="\${line%%$'\\t'*}"
    help="\${line#*$'\\t'}"
    if [[ "$value" == *[=./] ]]; then
      open+=("$value"); open_help+=("$value\${help:+  -- $help}")
    else
      ready+=("$value"); ready_help+=("$value\${help:+  -- $help}")
    fi
  done
  case "$then" in
    files) compset -P '--*='; _files ;;
    folders) compset -P '--*='; _files -/ ;;
    *)
      (( \${#open} )) && compadd -l -S '' -d open_help -a open
      (( \${#ready} )) && compadd -l -d ready_help -a ready
      (( \${#open} + \${#ready} ))
      ;;
  esac
}
compdef _forge forge`;

const fish = `# Completion of forge for fish: forge completion fish > ~/.config/fish/completions/forge.fish
function __forge_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines (forge __complete -- $words[2..-1] 2>/dev/null)
    switch "$lines[-1]"
        case :files
            __fish_complete_path (commandline -ct)
        case :folders
            __fish_complete_directories (commandline -ct)
        case '*'
            printf '%s\\n' $lines[1..-2]
    end
end
complete -c forge -f -a '(__forge_complete)'`;

const powershell = `# Completion of forge for PowerShell: forge completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName forge -ScriptBlock {
    param($typed, $ast, $position)
    $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })
    $lines = @(& forge __complete -- @words "$typed" 2>$null)
    foreach ($line in $lines) {
        if ($line.StartsWith(':')) { continue }
        $value, $help = $line -split "\`t", 2
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
    }
}`;

const scripts: Record<string, string> = { bash, zsh, fish, powershell };

export function scriptFor(shell: string): string {
  return scripts[shell] ?? "";
}
