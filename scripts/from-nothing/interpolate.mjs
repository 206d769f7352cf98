import { StepError } from '../steps/run.mjs'

/** A text of a compose file with its variables: `${NAME}`, `${NAME:-default}`, `${NAME:?why it is needed}`, one in the other too. */
export function interpolate(text, values) {
  const start = text.indexOf('${')
  if (start < 0) return text
  const end = endOf(text, start + 2)
  const value = textOf(text.slice(start + 2, end), values)
  return text.slice(0, start) + value + interpolate(text.slice(end + 1), values)
}

/** Of the brace that closes what begins at `from`. */
function endOf(text, from) {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at
  }
  throw new StepError(`A brace is not closed: ${text}`)
}

function textOf(inside, values) {
  const [, name, form, rest] = /^(\w+)(?:(:-|:\?)(.*))?$/s.exec(inside) ?? []
  if (!name) throw new StepError(`\${${inside}} is not understood`)
  const value = values[name]
  if (value) return value
  if (form === ':-') return interpolate(rest, values)
  if (form === ':?') throw new StepError(`${name}: ${rest}`)
  return ''
}
