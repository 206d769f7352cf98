// `localeCompare` with options makes one for each comparison.
const inOrder = new Intl.Collator('en', { numeric: true })

/** Negative when `a` is older. Numbers compare as numbers, a pre-release is older than its release. */
export function compareVersions(a: string, b: string): number {
  const [releaseA = '', preA] = split(a)
  const [releaseB = '', preB] = split(b)
  const byRelease = comparePart(releaseA, releaseB)
  if (byRelease !== 0) return byRelease
  if (preA === undefined || preB === undefined)
    return Number(preA === undefined) - Number(preB === undefined)
  return comparePart(preA, preB)
}

const split = (version: string) => {
  const bare = version.trim().replace(/^v/i, '').split('+')[0] ?? ''
  const dash = bare.indexOf('-')
  return dash < 0 ? [bare] : [bare.slice(0, dash), bare.slice(dash + 1)]
}

function comparePart(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = inOrder.compare(left[at] ?? '0', right[at] ?? '0')
    if (order !== 0) return order
  }
  return 0
}
