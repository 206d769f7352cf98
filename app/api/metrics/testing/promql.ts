export type Named = { metrics: string[]; labels: string[] }

/** Words of PromQL that stand where names do. */
const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan'])
const LISTS = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g

/** The metrics and labels that an expression names: those of matchers, and those that it groups by. */
export function namesIn(expression: string): Named {
  const withoutTexts = expression.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  const labels: string[] = []
  const take = (_: string, list: string) => {
    labels.push(...(list.match(/[a-z_]\w*/gi) ?? []))
    return ' '
  }
  const rest = withoutTexts
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\{([^}]*)\}/g, take)
    .replace(LISTS, take)
  const names = [...rest.matchAll(/(?<![\w.])[a-z_:][\w:]*(?!\w|\s*\()/gi)].map(([name]) => name)
  return { metrics: names.filter((name) => !WORDS.has(name.toLowerCase())), labels }
}
