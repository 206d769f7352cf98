// Requests of this tab that changed something, and how many there were when a page was fetched ahead.
let changes = 0
const fetched = new Map<string, number>()

export const countChange = (): void => {
  changes += 1
}

/** A page that is fetched once more is the one that came first, until it is visited. */
export function rememberFetchedAhead(href: string): void {
  if (!fetched.has(href)) fetched.set(href, changes)
}

/** Whether a page shows what may have been changed from here since it was fetched ahead. */
export const isOutdated = (href: string): boolean => (fetched.get(href) ?? changes) !== changes
