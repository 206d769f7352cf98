/**
 * The variables of the process `app` of a Compose file that is used with `variables` in `.env`: those of
 * `env_file`, then those of `environment`. Knows only the forms that our file has.
 */
export function composeEnvironment(
  file: string,
  variables: Record<string, string>,
): Record<string, string> {
  const app = /^ {2}app:\n((?: {4}.*\n)+)/m.exec(file)?.[1] ?? ''
  const fromFile = /^ {4}env_file: .*\{ path: \.env,/m.test(app) ? variables : {}
  const listed = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(app)?.[1] ?? ''
  const lines = [...listed.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)]
  const own = lines.map(([, name, value]) => [name, interpolate(value ?? '', variables)])
  return { ...fromFile, ...Object.fromEntries(own) }
}

/** The innermost first: a default may name another variable. */
function interpolate(text: string, variables: Record<string, string>): string {
  const once = text.replace(
    /\$\{([A-Z_]+)(?::([-?])([^{}]*))?\}/,
    (_, name: string, kind?: string, fallback = '') => {
      const value = variables[name]
      if (!value && kind === '?') throw new Error(`${name}: ${fallback}`)
      return value || fallback
    },
  )
  return once === text ? text : interpolate(once, variables)
}
