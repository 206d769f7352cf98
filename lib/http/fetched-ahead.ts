/** Addresses of pages whose data was fetched ahead, since they were last opened. */
const fetched = new Set<string>()

export const rememberFetchedAhead = (href: string): void => void fetched.add(href)

/** Whether the page that opens shows what was there earlier, and anybody may have changed since. Says so once. */
export const wasFetchedAhead = (href: string): boolean => fetched.delete(href)
