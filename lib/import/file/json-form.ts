/**
 * Whether a text that begins so is JSON or has JSON in each line: a list or an object that goes on in the next line, or an object that
 * another one follows. Null for what may be either, and for other texts.
 */
export function jsonFormOf(beginning: string): 'json' | 'jsonl' | null {
  const text = beginning.trimStart()
  if (text.startsWith('[') || /^\{\s*?\n/.test(text)) return 'json'
  const end = text.indexOf('\n')
  const isFollowed = end > 0 && text.slice(end).trimStart().startsWith('{')
  return isFollowed && isObjectText(text.slice(0, end)) ? 'jsonl' : null
}

function isObjectText(line: string): boolean {
  try {
    JSON.parse(line)
    return line.startsWith('{')
  } catch {
    return false
  }
}
