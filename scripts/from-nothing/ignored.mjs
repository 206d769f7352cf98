import { StepError } from '../steps/run.mjs'

/** Whether a path of the context is left out, by the text of `.dockerignore`. @returns {(path: string) => boolean} */
export function ignoredBy(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map(toRule)
  // The last one that fits decides.
  return (path) => rules.findLast(({ fits }) => fits.test(path))?.leavesOut ?? false
}

/** From the root of the context on, with all that is below. */
function toRule(line) {
  const leavesOut = !line.startsWith('!')
  const pattern = line.replace(/^!/, '').replace(/\/$/, '')
  if (/\*\*|[?[\]\\]/.test(pattern)) throw new StepError(`.dockerignore: ${line} is not understood`)
  const body = pattern.replace(/[.+^${}()|]/g, '\\$&').replaceAll('*', '[^/]*')
  return { leavesOut, fits: new RegExp(`^${body}(/|$)`) }
}
