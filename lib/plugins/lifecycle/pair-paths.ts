/**
 * Pairs each new path with the one that it was: with the same name, and with the same folders above it as far as several have that
 * name. Files by another name are not taken for each other: an archive may bring a further part of what there is.
 */
export function pairPaths(
  fresh: readonly string[],
  gone: readonly string[],
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  let [to, from] = [[...fresh], [...gone]]
  const longest = Math.max(0, ...[...fresh, ...gone].map((path) => path.split('/').length))
  for (let parts = longest; parts > 0; parts--) {
    const [byEnd, formerByEnd] = [groupByEnd(to, parts), groupByEnd(from, parts)]
    for (const [end, [path, ...others]] of byEnd) {
      const [former, ...rivals] = formerByEnd.get(end) ?? []
      if (path && former && others.length + rivals.length === 0) pairs.set(path, former)
    }
    const taken = new Set(pairs.values())
    to = to.filter((path) => !pairs.has(path))
    from = from.filter((path) => !taken.has(path))
  }
  return pairs
}

function groupByEnd(paths: readonly string[], parts: number): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const end = path.split('/').slice(-parts).join('/')
    groups.set(end, [...(groups.get(end) ?? []), path])
  }
  return groups
}
