/** The values of a line in COPY's text format (PostgreSQL, "COPY", "Text Format"). */
export const readCopyLine = (line: string): (string | null)[] => line.split('\t').map(readValue)

function readValue(text: string): string | null {
  if (text === '\\N') return null
  return text.includes('\\')
    ? text.replace(/\\(.)/g, (_, letter) => ESCAPES[letter] ?? letter)
    : text
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
